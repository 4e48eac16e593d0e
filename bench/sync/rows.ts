import { addDays, type CalendarDate } from '../../src/platform/time/calendar-date.js';

export interface BankRow {
  id: string;
  /** From 0. */
  account: number;
  date: CalendarDate;
  amountMinor: number;
  description: string;
  merchant: string;
}

/** Where the rows lie. */
export interface Shape {
  rows: number;
  accounts: number;
  /** The rows are spread evenly over so many days until today. */
  days: number;
}

/** How many rows in a hundred are new in the second sync. */
const NEW_PERCENT = 1;

export function firstRows(shape: Shape, today: CalendarDate): BankRow[] {
  return Array.from({ length: shape.rows }, (_, index) => row(shape, index, today));
}

/** As many as are new in a second sync: of the newest day. */
export function newRows(shape: Shape, today: CalendarDate): BankRow[] {
  const count = (shape.rows * NEW_PERCENT) / 100;
  return Array.from({ length: count }, (_, index) => ({ ...row(shape, shape.rows + index, today), date: today }));
}

function row({ accounts, days }: Shape, index: number, today: CalendarDate): BankRow {
  const number = String(index).padStart(8, '0');
  return {
    id: `TRN-${number}-5d41-402a-bc4b-2a76b9719d91`,
    account: index % accounts,
    date: addDays(today, -(Math.floor(index / accounts) % days)),
    // In and out in turns, so that balances stay where they are.
    amountMinor: (Math.floor(index / accounts) % 2 === 0 ? 1 : -1) * (100 + (index % 977)),
    description: `MARKET STALL ${number} SPRINGFIELD`,
    merchant: `Market Stall ${index % 500}`,
  };
}
