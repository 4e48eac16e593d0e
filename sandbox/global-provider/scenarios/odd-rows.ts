import type { WireTransaction, WireTransactionList } from '../body.js';
import type { Scenario } from '../scenario.js';

const MARKUP = '<script>alert("1")</script> <b>&amp;</b>\r\n\t second line \u0000\u0007\u001b[31m\u202e\u2028';
/** JSON numbers that JavaScript would write in another way. */
const AMOUNTS = ['-0', '0', '1e-7', '12345678901234567', '-12.345'];

/** Transactions as other servers were seen to send them. */
export const ODD_ROWS: readonly Scenario[] = [
  {
    name: 'row-without-id',
    plays: 'One in eight posted transactions has no id.',
    transactions: eachBooked((row, kind) => (kind < 2 ? { ...row, id: kind === 0 ? null : '  ' } : row)),
  },
  {
    name: 'row-gaps',
    plays: 'One in eight posted transactions lacks its date or its amount.',
    transactions: eachBooked(({ date, amount, ...row }, kind) => ({
      ...row,
      ...(kind === 0 ? {} : { date }),
      ...(kind === 1 ? {} : { amount }),
    })),
  },
  {
    name: 'currency-unknown',
    plays: 'One in sixteen posted transactions is in a currency that does not exist.',
    transactions: eachBooked((row, kind) => (kind === 0 ? { ...row, currency: 'XQZ' } : row)),
  },
  {
    name: 'currency-foreign',
    plays: 'One in sixteen posted transactions is in Swiss francs, in lower case; one in sixteen reports no currency.',
    transactions: eachBooked(({ currency, ...row }, kind) => ({
      ...row,
      ...(kind === 1 ? {} : { currency: kind === 0 ? 'chf' : currency }),
    })),
  },
  {
    name: 'dates-with-time',
    plays: 'Dates have a time of day.',
    transactions: eachRow((row) => ({ ...row, date: `${row.date}T23:30:00Z` })),
  },
  {
    name: 'undefined-text',
    plays: 'Missing members of a transaction are the word undefined.',
    transactions: eachRow((row) => ({ ...row, merchant: row.merchant ?? 'undefined', description: 'undefined' })),
  },
  {
    name: 'markup',
    plays: 'Names and descriptions contain markup, line breaks and control characters.',
    accounts: ({ accounts, total }) => ({
      accounts: accounts.map((item) => ({ ...item, name: `${item.name} ${MARKUP}`, institution_name: MARKUP })),
      total,
    }),
    transactions: eachRow((row) => ({ ...row, merchant: MARKUP, description: `${row.description} ${MARKUP}` })),
  },
  {
    name: 'odd-amounts',
    plays: 'Amounts are minus zero, zero, 1e-7, of 17 digits, of a third of a cent; yen have decimals.',
    transactions: eachBooked((row, kind) => ({
      ...row,
      amount: row.currency === 'JPY' ? row.amount + 0.5 : `number ${AMOUNTS[kind] ?? row.amount}`,
    })),
    reply: (reply) => ({ ...reply, body: reply.body.replaceAll(/"number ([^"]+)"/g, '$1') }),
  },
];

type Edit = (row: WireTransaction, kind: number) => object;

function eachRow(edit: Edit) {
  return ({ transactions, total }: WireTransactionList) => ({
    transactions: transactions.map((row) => edit(row, kindOf(row))),
    total,
  });
}

function eachBooked(edit: Edit) {
  return eachRow((row, kind) => (row.isPending ? row : edit(row, kind)));
}

/** 0 to 15, always the same for a row. */
function kindOf({ id }: WireTransaction): number {
  return Number.parseInt(id?.slice(0, 1) ?? 'f', 16);
}
