import { Injectable } from '@nestjs/common';
import { REVISION_SQL } from '../../accounts/account-revisions.js';
import { PreparedStatements } from '../../database/prepared.js';
import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';
import type { ShownAccount } from './balance-record.js';
import type { AccountDays } from './page-of-days.js';

/** How many people's spans are remembered; the one who asked longest ago is forgotten first. */
const MAX_PEOPLE = 1_000;

export interface AccountSpan extends AccountDays, ShownAccount {
  currency: string;
}

/** On which days the accounts of a person have records, and what those show of them, at one revision of it all. */
export interface PersonSpans {
  revision: string;
  spans: readonly AccountSpan[];
  /** The same by the account's id. */
  accounts: ReadonlyMap<string, AccountSpan>;
  /** Whether every account has one span and a record for every day of it, as the engine writes them. */
  isDense: boolean;
}

interface SpanRow extends ShownAccount {
  revision: string;
  account_id: string | null;
  currency: string;
  first_date: CalendarDate;
  last_date: CalendarDate;
  record_count: number;
}

const SPANS = {
  name: 'balance-spans',
  text: `
    select ${REVISION_SQL}, s.account_id, s.currency, a.name as account_name, a.account_type,
      s.first_date::text as first_date, s.last_date::text as last_date, s.record_count
    from (select $1::uuid as user_id) person
    left join balance_spans s using (user_id)
    left join accounts a on a.user_id = s.user_id and a.id = s.account_id`,
};

/** Remembers people's spans. Who uses them must check the revision in the statement that reads the records. */
@Injectable()
export class BalanceRangeIndex {
  readonly #known = new Map<string, PersonSpans>();

  constructor(private readonly prepared: PreparedStatements) {}

  /** What was last known of a person's spans, read when nothing is. */
  async of(userId: string): Promise<PersonSpans> {
    const known = this.#known.get(userId) ?? (await this.#read(userId));
    this.#known.delete(userId);
    this.#known.set(userId, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_PEOPLE) break;
      this.#known.delete(oldest);
    }
    return known;
  }

  forget(userId: string): void {
    this.#known.delete(userId);
  }

  async #read(userId: string): Promise<PersonSpans> {
    const rows = await this.prepared.query<SpanRow>(SPANS, [userId]);
    // A person without records has one row all the same, for the revision.
    const found = rows.filter(({ account_id }) => account_id !== null);
    const spans = found.map(toSpan);
    return {
      revision: rows[0]?.revision ?? '0',
      spans,
      accounts: new Map(spans.map((span) => [span.accountId, span])),
      // An account that was re-denominated has a span for each currency, and their days may interleave.
      isDense: found.every(isDense) && new Set(found.map(({ account_id }) => account_id)).size === found.length,
    };
  }
}

function toSpan({ account_id, currency, account_name, account_type, first_date, last_date }: SpanRow): AccountSpan {
  const days = { firstDay: dayNumber(first_date), lastDay: dayNumber(last_date) };
  return { accountId: account_id!, currency, account_name, account_type, ...days };
}

function isDense({ first_date, last_date, record_count }: SpanRow): boolean {
  return record_count === dayNumber(last_date) - dayNumber(first_date) + 1;
}
