import type { EntityManager } from '@mikro-orm/postgresql';
import { isOnCitus } from './database.js';

/** Of each table that a list shows: the columns that none shows, and which noted part covers a row. */
const TABLES: Record<string, { hidden: string[]; covers: string }> = {
  accounts: {
    hidden: [
      ...['external_id', 'name_chosen', 'account_type_chosen', 'holdings_retry_on', 'covered'],
      ...['history_asked_at', 'answer_digest', 'updated_at'],
    ],
    covers: `c.kind = 'accounts' and (shown ->> 'id')::uuid = any(c.ids)`,
  },
  balances: {
    hidden: [],
    covers: `c.kind = 'balances' and c.account_id = (shown ->> 'account_id')::uuid
      and daterange(c.from_date, c.to_date, '[]') @> (shown ->> 'date')::date`,
  },
  transactions: {
    hidden: ['external_id', 'hold_external_id', 'missing_since', 'first_seen_at', 'listed_from'],
    covers: `c.kind = 'transactions' and (
      (c.ids is null and c.account_id = (shown ->> 'account_id')::uuid) or (shown ->> 'id')::uuid = any(c.ids))`,
  },
  observations: { hidden: [], covers: `c.kind = 'accounts' and (shown ->> 'account_id')::uuid = any(c.ids)` },
  holdings: { hidden: [], covers: `c.kind = 'holdings' and c.account_id = (shown ->> 'account_id')::uuid` },
  connections: {
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
  sync_runs: {
    hidden: ['event_id'],
    covers: `c.kind = 'syncs' and (shown ->> 'id')::uuid = any(c.ids)`,
  },
  provider_requests: {
    hidden: [],
    covers: `c.kind = 'connections' and (c.ids is null or (shown ->> 'connection_id')::uuid = any(c.ids))`,
  },
  accounts_kept_apart: { hidden: [], covers: `c.kind = 'connections' and c.ids is null` },
};

/** Before what a test changes by itself in the same transaction, and nothing of the service would. */
export const UNGUARDED = `set local tidemark_test.is_unguarded = 'on'`;

/**
 * From now on a transaction fails that changes a row without noting it in the change log: triggers look at every changed
 * row right before the commit. Only in tests: nothing of the service counts on triggers.
 */
export async function guardChanges({ em }: { em: () => EntityManager }): Promise<void> {
  // It has no triggers, and is not what is guarded.
  if (isOnCitus) return;
  const connection = em().getConnection();
  for (const [table, { hidden, covers }] of Object.entries(TABLES)) {
    const columns = `array[${hidden.map((name) => `'${name}'`).join(', ')}]::text[]`;
    await connection.execute(`
      create or replace function check_noted_${table}() returns trigger language plpgsql as $$
      declare
        shown jsonb;
      begin
        if current_setting('tidemark_test.is_unguarded', true) = 'on' then return null; end if;
        if tg_op = 'UPDATE' and to_jsonb(old) - ${columns} = to_jsonb(new) - ${columns} then return null; end if;
        for shown in
          select to_jsonb(old) where tg_op <> 'INSERT' union all select to_jsonb(new) where tg_op <> 'DELETE'
        loop
          -- With a person goes the log.
          if not exists (select from users where id = (shown ->> 'user_id')::uuid) then continue; end if;
          if not exists (
            select from changes c
            where c.user_id = (shown ->> 'user_id')::uuid and c.xmin = pg_current_xact_id()::xid and ${covers}
          ) then
            raise exception 'not noted: % of ${table}: %', tg_op, shown;
          end if;
        end loop;
        return null;
      end $$`);
    await connection.execute(`drop trigger if exists check_noted on ${table}`);
    await connection.execute(`
      create constraint trigger check_noted after insert or update or delete on ${table}
      deferrable initially deferred for each row execute function check_noted_${table}()`);
  }
}
