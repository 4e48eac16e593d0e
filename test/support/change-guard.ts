import type { EntityManager } from '@mikro-orm/postgresql';
import { type GuardedTable, guardNotedWrites } from '../../src/kit/guard-noted-writes.js';
import { isOnCitus } from './database.js';

/** The tables of the core that lists show. */
const TABLES: readonly GuardedTable[] = [
  {
    table: 'accounts',
    hidden: [
      ...['external_id', 'name_chosen', 'account_type_chosen', 'holdings_retry_on', 'covered'],
      ...['history_asked_at', 'answer_digest', 'updated_at'],
    ],
    covers: `c.kind = 'accounts' and (shown ->> 'id')::uuid = any(c.ids)`,
  },
  {
    table: 'balances',
    covers: `c.kind = 'balances' and c.account_id = (shown ->> 'account_id')::uuid
      and daterange(c.from_date, c.to_date, '[]') @> (shown ->> 'date')::date`,
  },
  {
    table: 'transactions',
    hidden: ['external_id', 'hold_external_id', 'missing_since', 'first_seen_at', 'listed_from'],
    covers: `c.kind = 'transactions' and (
      (c.ids is null and c.account_id = (shown ->> 'account_id')::uuid) or (shown ->> 'id')::uuid = any(c.ids))`,
  },
  {
    table: 'observations',
    covers: `c.kind = 'accounts' and (shown ->> 'account_id')::uuid = any(c.ids)`,
  },
  {
    table: 'holdings',
    covers: `c.kind = 'holdings' and c.account_id = (shown ->> 'account_id')::uuid`,
  },
  {
    table: 'connections',
    hidden: [
      'credential',
      'credential_fingerprint',
      'pasted_fingerprint',
      'pasted_at',
      'credential_since',
      'updated_at',
    ],
    covers: `c.kind = 'connections' and (c.ids is null or (shown ->> 'id')::uuid = any(c.ids))`,
  },
  {
    table: 'sync_runs',
    hidden: ['event_id'],
    covers: `c.kind = 'syncs' and (shown ->> 'id')::uuid = any(c.ids)`,
  },
  {
    table: 'provider_requests',
    covers: `c.kind = 'connections' and (c.ids is null or (shown ->> 'connection_id')::uuid = any(c.ids))`,
  },
  {
    table: 'accounts_kept_apart',
    covers: `c.kind = 'connections' and c.ids is null`,
  },
];

/** From now on a transaction fails that changes a row which a list shows without noting it in the change log. */
export async function guardChanges({ em }: { em: () => EntityManager }): Promise<void> {
  // It has no triggers, and is not what is guarded.
  if (!isOnCitus) await guardNotedWrites(em(), TABLES);
}
