import type { InferClassEntityDB } from '@mikro-orm/postgresql';
import { ACCOUNT_TYPES, type AccountType } from '../engine/ledger.js';
import { Amount, Day, exportOf, Factor, Group, Id, List, Moment, responseOf, Text } from '../../http/members.js';
import { Pagination } from '../../http/pagination/page.js';
import type { Account } from '../accounts/account.entity.js';
import type { Balance } from './balance.entity.js';
import { AMOUNT_NAMES } from './keep-versions.js';

type Tables = InferClassEntityDB<typeof Account | typeof Balance>;

/** The members of an account in its balance records. */
export interface ShownAccount {
  account_name: string;
  account_type: AccountType | null;
}

/** A row of the list query: a balance with the members of its account. Amounts in minor units. */
export interface BalanceRow extends Omit<Tables['balances'], 'user_id' | 'created_at' | 'updated_at'>, ShownAccount {
  /** Seconds since the epoch. */
  created_at: number;
  updated_at: number;
}

export class BalanceAccount {
  @Id({ from: 'account_id', example: '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90' })
  id: string;

  @Text({ from: 'account_name', example: 'Everyday Checking' })
  name: string;

  @Text({
    nullable: true,
    example: 'depository',
    description: `One of ${ACCOUNT_TYPES.join(', ')}; \`null\`: not known yet.`,
  })
  account_type: AccountType | null;
}

/** A day on which $64.20 left a checking account. The integers of this record are without a format by contract. */
const START = { example: 416_641, format: null };
const OUT = { example: 6_420, format: null };
const END = { example: 410_221, format: null };
const NONE = { example: 0, format: null };
const OPTIONAL = { required: false };

const start = ({ start_cash, start_non_cash }: BalanceRow) => start_cash + start_non_cash;
const end = ({ end_cash, end_non_cash }: BalanceRow) => end_cash + end_non_cash;

/** One account on one day. */
export class BalanceResponse {
  @Id({ example: 'c1d8c6de-58f4-4d0a-8a69-2f4f5e1a7b11', description: 'Stays through every re-derivation.' })
  id: string;

  @Day({ example: '2026-03-02' })
  date: string;

  @Text({ example: 'USD', description: 'ISO 4217 code.' })
  currency: string;

  @Factor({ example: 1, description: '`1` for assets, `-1` for liabilities, whose balance is the amount owed.' })
  flows_factor: number;

  @Amount({ ...END, from: end, description: 'Same as `end_balance`' })
  balance: string;
  balance_cents: number;

  @Amount({
    ...END,
    ...OPTIONAL,
    nullable: true,
    from: ({ has_cash, end_cash }: BalanceRow) => (has_cash ? end_cash : null),
    description: 'Same as `end_cash_balance`; `null` where the account has no cash part',
  })
  cash_balance: string | null;
  cash_balance_cents: number | null;

  @Amount({ ...START, ...OPTIONAL, from: 'start_cash', description: 'Cash at the start of the day' })
  start_cash_balance: string;
  start_cash_balance_cents: number;

  @Amount({ ...NONE, ...OPTIONAL, from: 'start_non_cash', description: 'Everything else at the start of the day' })
  start_non_cash_balance: string;
  start_non_cash_balance_cents: number;

  @Amount({ ...START, from: start, description: "The day before's `end_balance`" })
  start_balance: string;
  start_balance_cents: number;

  @Amount({ ...NONE, ...OPTIONAL, from: 'cash_inflows', description: 'Cash that came in' })
  cash_inflows: string;
  cash_inflows_cents: number;

  @Amount({ ...OUT, ...OPTIONAL, from: 'cash_outflows', description: 'Cash that went out' })
  cash_outflows: string;
  cash_outflows_cents: number;

  @Amount({
    ...NONE,
    ...OPTIONAL,
    from: 'non_cash_inflows',
    description: 'Securities bought, or what a loan was paid down by',
  })
  non_cash_inflows: string;
  non_cash_inflows_cents: number;

  @Amount({
    ...NONE,
    ...OPTIONAL,
    from: 'non_cash_outflows',
    description: 'Securities sold, or what was drawn on a loan',
  })
  non_cash_outflows: string;
  non_cash_outflows_cents: number;

  @Amount({ ...NONE, ...OPTIONAL, from: 'net_market_flows', description: 'What the market did' })
  net_market_flows: string;
  net_market_flows_cents: number;

  @Amount({ ...NONE, ...OPTIONAL, from: 'cash_adjustments', description: 'Cash that no transaction explains' })
  cash_adjustments: string;
  cash_adjustments_cents: number;

  @Amount({
    ...NONE,
    ...OPTIONAL,
    from: 'non_cash_adjustments',
    description: 'Everything else that no transaction explains',
  })
  non_cash_adjustments: string;
  non_cash_adjustments_cents: number;

  @Amount({ ...END, ...OPTIONAL, from: 'end_cash', description: 'Cash at the end of the day' })
  end_cash_balance: string;
  end_cash_balance_cents: number;

  @Amount({ ...NONE, ...OPTIONAL, from: 'end_non_cash', description: 'Everything else at the end of the day' })
  end_non_cash_balance: string;
  end_non_cash_balance_cents: number;

  @Amount({ ...END, from: end, description: 'Everything at the end of the day' })
  end_balance: string;
  end_balance_cents: number;

  @Group(BalanceAccount)
  account: BalanceAccount;

  @Moment({ example: '2026-03-02T06:17:04.211Z' })
  created_at: string;

  @Moment({ example: '2026-03-02T06:17:04.211Z', description: 'Changes only when the record’s content changes.' })
  updated_at: string;
}

/** The one place that maps a stored balance to its response. */
export const toBalanceResponse: (row: BalanceRow) => BalanceResponse = responseOf(BalanceResponse);

export class BalanceCollection {
  @List(BalanceResponse)
  balances: BalanceResponse[];

  @Group(Pagination)
  pagination: Pagination;

  @Text({
    required: false,
    nullable: true,
    description: 'Only with `cursor`: where to read on; `null` at the end of the list.',
  })
  next_cursor?: string | null;
}

/** A balance as read from the database: one text is cheaper for the driver than nineteen columns. */
export interface BalanceRecord extends ShownAccount {
  record: string;
}

const TEXTS = ['account_id', 'id', 'date', 'currency'];
const NUMBERS = ['flows_factor', ...AMOUNT_NAMES];
const MOMENTS = ['created_at', 'updated_at'];

/** In the order that {@link toBalanceRow} expects; none contains a space or is null. */
export const RECORD_SQL = `concat_ws(' ', ${[
  ...[...TEXTS, ...NUMBERS].map((column) => `b.${column}`),
  ...MOMENTS.map((column) => `date_part('epoch', b.${column})`),
  'b.has_cash',
].join(', ')}) as record`;

/** The columns of a {@link BalanceRecord}, where `a` is the account. */
export const SHOWN_RECORD_SQL = `${RECORD_SQL}, a.name as account_name, a.account_type`;

const COUNTED = [...NUMBERS, ...MOMENTS];
const COLUMNS = [...TEXTS, ...COUNTED, 'has_cash', 'account_name', 'account_type'];
const EMPTY: Record<string, unknown> = Object.fromEntries(COLUMNS.map((column) => [column, null]));

/** @param accountOf finds the account of an id */
export function toBalanceRow(record: string, accountOf: (id: string) => ShownAccount): BalanceRow {
  const fields = record.split(' ');
  const { account_name, account_type } = accountOf(fields[0]!);
  const row = { ...EMPTY };
  for (let i = 0; i < TEXTS.length; i++) row[TEXTS[i]!] = fields[i];
  for (let i = 0; i < COUNTED.length; i++) row[COUNTED[i]!] = Number(fields[TEXTS.length + i]);
  row.has_cash = fields.at(-1) === 't';
  row.account_name = account_name;
  row.account_type = account_type;
  return row as unknown as BalanceRow;
}

/** The fields of the list, with those of the account. */
export const BALANCE_EXPORT = exportOf('balances', BalanceResponse, ({ record, ...account }: BalanceRecord) =>
  toBalanceResponse(toBalanceRow(record, () => account)),
);

export const BALANCE_EXAMPLE: BalanceRecord = {
  record:
    '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90 c1d8c6de-58f4-4d0a-8a69-2f4f5e1a7b11 2026-03-02 USD 1 ' +
    '416641 0 0 6420 0 0 0 0 0 410221 0 1772432224.211 1772432224.211 t',
  account_name: 'Everyday Checking',
  account_type: 'depository',
};
