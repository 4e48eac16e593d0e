import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { addDays, type CalendarDate } from '../../src/platform/time/calendar-date.js';

/** Of each of the others. */
const ACCOUNTS = 2;
const DAYS = 20;
const SYNCS = 5;
/** In one COPY of each table. */
const PEOPLE_AT_A_TIME = 2_000;

interface Other {
  id: string;
  connection: string;
  accounts: string[];
}

type Rows = (other: Other, today: CalendarDate) => Iterable<readonly unknown[]>;

const days = (today: CalendarDate) => Array.from({ length: DAYS }, (_, day) => addDays(today, -day));

/** Columns by table, and the rows of one person. */
const TABLES: readonly [table: string, columns: string, rows: Rows][] = [
  ['users', 'id, email, password_hash', ({ id }) => [[id, `${id}@example.com`, 'none']]],
  [
    'api_keys',
    'user_id, id, name, scopes, key_hash, hint',
    ({ id }) => [[id, randomUUID(), 'key', '{}', `\\\\x${id.replaceAll('-', '')}`, 'hint']],
  ],
  [
    'connections',
    'user_id, id, provider, name, credential, credential_fingerprint, last_synced_at, next_sync_at',
    ({ id, connection }, today) => [
      [id, connection, 'us_provider', 'My banks', 'none', id, `${today}T00:00Z`, `${addDays(today, 1)}T00:00Z`],
    ],
  ],
  [
    'accounts',
    'user_id, id, connection_id, provider, external_id, name, currency, account_type',
    ({ id, connection, accounts }) =>
      accounts.map((account, n) => [
        id,
        account,
        connection,
        'us_provider',
        `A${n}`,
        `Account ${n}`,
        'USD',
        'depository',
      ]),
  ],
  [
    'transactions',
    'user_id, account_id, external_id, date, amount_minor, currency, description, pending, first_seen_at',
    ({ id, accounts }, today) =>
      accounts.flatMap((account) =>
        days(today).map((day) => [id, account, `T${day}`, day, -500, 'USD', 'CARD PURCHASE', false, `${day}T00:00Z`]),
      ),
  ],
  [
    'observations',
    'user_id, account_id, observed_at, day, currency, balance_minor, pending_minor, has_holdings, digest',
    ({ id, accounts }, today) =>
      accounts.flatMap((account) =>
        days(today)
          .slice(0, SYNCS)
          .map((day) => [id, account, `${day}T00:00Z`, day, 'USD', 100_000, '{}', false, day]),
      ),
  ],
  [
    'balances',
    'user_id, account_id, date, currency, flows_factor, has_cash, start_cash, start_non_cash, cash_inflows, ' +
      'cash_outflows, non_cash_inflows, non_cash_outflows, net_market_flows, cash_adjustments, non_cash_adjustments, ' +
      'end_cash, end_non_cash',
    ({ id, accounts }, today) =>
      accounts.flatMap((account) =>
        days(today).map((day) => [id, account, day, 'USD', 1, true, 1000, 0, 500, 500, 0, 0, 0, 0, 0, 1000, 0]),
      ),
  ],
  [
    'balance_spans',
    'user_id, account_id, currency, first_date, last_date',
    ({ id, accounts }, today) => accounts.map((account) => [id, account, 'USD', addDays(today, 1 - DAYS), today]),
  ],
  [
    'sync_runs',
    'user_id, id, connection_id, trigger, status, step, queued_at, finished_at',
    ({ id, connection }, today) =>
      days(today)
        .slice(0, SYNCS)
        .map((day) => [
          id,
          randomUUID(),
          connection,
          'schedule',
          'succeeded',
          'done',
          `${day}T00:00Z`,
          `${day}T00:01Z`,
        ]),
  ],
  [
    'user_revisions',
    'user_id, revision, records_revision, moved_at',
    ({ id }, today) => [[id, SYNCS, SYNCS, `${today}T00:00Z`]],
  ],
  [
    'revisions',
    'user_id, revision, committed_at, kinds',
    ({ id }, today) =>
      Array.from({ length: SYNCS }, (_, n) => [id, n + 1, `${addDays(today, n - SYNCS)}T00:00Z`, '{balances}']),
  ],
  [
    'changes',
    'user_id, revision, part, kind, account_id, from_date, to_date',
    ({ id, accounts }, today) =>
      Array.from({ length: SYNCS }, (_, n) => [id, n + 1, 0, 'balances', accounts[0], addDays(today, -DAYS), today]),
  ],
];

/** Other people in the same tables, each with an account or two and the history of some weeks, by COPY. */
export async function copyOthers(client: pg.Client, people: number): Promise<void> {
  const today: CalendarDate = new Date().toISOString().slice(0, 10);
  for (let done = 0; done < people; done += PEOPLE_AT_A_TIME) {
    const others = Array.from({ length: Math.min(PEOPLE_AT_A_TIME, people - done) }, () => ({
      id: randomUUID(),
      connection: randomUUID(),
      accounts: Array.from({ length: ACCOUNTS }, () => randomUUID()),
    }));
    for (const [table, columns, rows] of TABLES) {
      const lines = function* () {
        for (const other of others) for (const row of rows(other, today)) yield `${row.join('\t')}\n`;
      };
      await pipeline(Readable.from(lines()), client.query(copyFrom(`copy ${table} (${columns}) from stdin`)));
    }
  }
}
