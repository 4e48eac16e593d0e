import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { analyzeIfMany, insertRows } from '../../database/insert-rows.js';
import { atOneMoment } from '../../database/one-moment.js';
import { reader } from '../../database/reader.js';
import { usingSessionsFor } from '../../database/sessions/bounded-client.js';
import type { Caller } from '../../http/caller.js';
import { offsetOf, type PageQuery } from '../../http/pagination/page.js';
import { Config } from '../../platform/config/config.js';
import { recordNotFound, validationFailed } from '../../platform/domain-error.js';
import { type CalendarDate, dateOfDayNumber, dayNumber } from '../../platform/time/calendar-date.js';
import { Account, findAccount } from '../accounts/account.entity.js';
import { accountRules } from '../engine/account-type.js';
import { Balance } from '../record/balance.entity.js';
import { ReconciliationService } from '../reconciliation/reconciliation.service.js';
import { ChangeFactsService } from './change-facts.service.js';
import { type Correction, ImportedList, OwnRow, type Standing, StatedBalance } from './own-knowledge.entities.js';
import { type ListedRow, MAX_DAYS_APART, type Placed } from './place-rows.js';
import { type ListedFacts, placeAll, readListedFacts } from './settle-rows.js';
import { areBelowWorth, requireMovement } from './statements.service.js';

/** What a file says of one account. Amounts are in minor units of `currency`, in the holder's view: money out is negative. */
export interface NewList {
  /** Of the file, for people. */
  name: string;
  /** Of the account: another one is refused. */
  currency: string;
  rows: readonly NewRow[];
  /** Of the ends of days. */
  balances: readonly { date: CalendarDate; balanceMinor: number }[];
  /** The days of which it lists all transactions, the last one included; `null`: none. */
  covered: { first: CalendarDate; last: CalendarDate } | null;
}

export interface NewRow {
  date: CalendarDate;
  amountMinor: number;
  description: string;
  merchant: string | null;
}

/** What would become of a row of a list. */
export interface PreviewedRow {
  standing: Standing;
  /** The transaction that is the same one. */
  pairedWith: string | null;
  /** A row of an earlier list, or of the person, is the same one: this one counts in its place. */
  replaces: boolean;
  /** It is not the same as any, but a transaction of about its day has nearly its amount. */
  isDoubtful: boolean;
}

/** What a list would do that is not stored yet. */
export interface PreviewedList {
  /** What would become of each row. */
  rows: PreviewedRow[];
  /** Rows of earlier lists that would count no longer: the list has their days, and not them. */
  superseded: SupersededRow[];
}

export interface SupersededRow {
  date: CalendarDate;
  /** In the holder's view. */
  amountMinor: number;
  description: string;
}

/** Each row of a list is one of these. */
export interface RowCounts {
  /** They count, and nothing else had them. */
  added: number;
  /** They count in the place of rows of earlier lists or of the person. */
  replacing: number;
  paired: number;
  left_out: number;
}

/** A balance of a list, in the holder's view. */
export interface ComparedBalance {
  date: CalendarDate;
  balanceMinor: number;
  /** What the history would say without it; `null`: nothing. */
  derivedMinor: number | null;
}

/** Lists from files beside the lists of banks. Each day of an account belongs to one of them. */
@Injectable()
export class ImportedListsService {
  constructor(
    private readonly em: EntityManager,
    private readonly facts: ChangeFactsService,
    private readonly reconciliations: ReconciliationService,
    private readonly config: Config,
  ) {}

  /**
   * Says what adding a list would do, row by row. Nothing is stored.
   *
   * @throws DomainError `record_not_found`; `validation_failed` for another currency, and for transactions of a thing
   */
  async preview(userId: string, accountId: string, list: NewList): Promise<PreviewedList> {
    const em = reader(this.em);
    const account = await findAccount(em, userId, accountId);
    requireFit(account, list);
    const facts = await readListedFacts(em, account);
    const { rows, placed } = placeList(facts, list);
    const replacing = new Set([...placed.values()].map(({ pairedWith }) => pairedWith));
    const earlier = [...facts.lists.values()].flatMap((other) => other.rows);
    const isNear = nearAmounts([...facts.bank.rows, ...earlier]);
    const before = placeAll(facts);
    const superseded = earlier.filter(
      ({ id }) => before.get(id)?.standing === 'counted' && placed.get(id)?.standing === 'left_out',
    );
    return {
      rows: rows.map((row) => {
        const { standing, pairedWith } = placed.get(row.id)!;
        const replaces = replacing.has(row.id);
        return { standing, pairedWith, replaces, isDoubtful: standing !== 'paired' && !replaces && isNear(row) };
      }),
      superseded: superseded.map(({ day, amountMinor, text }) => ({
        date: dateOfDayNumber(day),
        amountMinor,
        description: text,
      })),
    };
  }

  /**
   * Holds the balances of a list against what the history would say of their days without them: the list is added, the
   * history derived, and all of it taken back.
   *
   * @throws DomainError as {@link add}; UncountableAmountsError
   */
  async compareBalances(
    caller: Pick<Caller, 'userId' | 'timeZone'>,
    accountId: string,
    list: NewList,
  ): Promise<ComparedBalance[]> {
    if (list.balances.length === 0) return [];
    const takenBack = new Error('Looked at.');
    let compared: ComparedBalance[] = [];
    const look = async (em: EntityManager) => {
      const days = await em.find(Balance, {
        userId: caller.userId,
        accountId,
        date: { $in: list.balances.map(({ date }) => date) },
      });
      // Where nothing leads to a day but what was stated of it, that is what it is held against.
      const before = new Map(days.map((day) => [day.date, day.flowsFactor * (day.endCash + day.endNonCash)]));
      const id = await this.add(caller, accountId, list);
      const met = await this.reconciliations.readStatements(caller, accountId);
      const { accountType } = await findAccount(em, caller.userId, accountId);
      const { factor } = accountRules(accountType);
      const stated = await em.find(StatedBalance, { userId: caller.userId, listId: id }, { orderBy: { date: 'asc' } });
      compared = stated.map(({ id, date, balanceMinor }): ComparedBalance => {
        const { derivedMinor = null } = met.get(id) ?? {};
        const other = derivedMinor === null ? (before.get(date) ?? null) : derivedMinor * factor + 0;
        return { date, balanceMinor, derivedMinor: other };
      });
      throw takenBack;
    };
    await usingSessionsFor('background', () => this.em.transactional(look)).catch((error: unknown) => {
      if (error !== takenBack) throw error;
    });
    return compared;
  }

  /** What has become of the rows of lists, by list. */
  async countRows(userId: string, ids: readonly string[]): Promise<Map<string, RowCounts>> {
    const counts = new Map(ids.map((id) => [id, { added: 0, replacing: 0, paired: 0, left_out: 0 }]));
    if (ids.length === 0) return counts;
    const rows = await this.em
      .getKysely<InferClassEntityDB<typeof OwnRow>>()
      .selectFrom('own_rows as o')
      .leftJoin(
        (eb) =>
          eb
            .selectFrom('own_rows')
            .select('paired_with')
            .distinct()
            .where('user_id', '=', userId)
            .where('paired_with', 'is not', null)
            .as('same'),
        (join) => join.onRef('same.paired_with', '=', 'o.id'),
      )
      .select((eb) => [
        'o.list_id',
        'o.standing',
        eb('same.paired_with', 'is not', null).as('replaces'),
        eb.fn.countAll<string>().as('count'),
      ])
      .where('o.user_id', '=', userId)
      .where('o.list_id', 'in', [...ids])
      .groupBy(['o.list_id', 'o.standing', 'replaces'])
      .execute();
    for (const { list_id: id, standing, replaces, count } of rows) {
      counts.get(id!)![standing === 'counted' ? (replaces ? 'replacing' : 'added') : standing] += Number(count);
    }
    return counts;
  }

  /** How many of their rows a person has corrected: that goes with them. */
  async countCorrections(userId: string, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { count } = await this.em
      .getKysely<InferClassEntityDB<typeof OwnRow | typeof Correction>>()
      .selectFrom('own_rows as o')
      .innerJoin('corrections as c', (join) =>
        join.onRef('c.user_id', '=', 'o.user_id').onRef('c.transaction_id', '=', 'o.id'),
      )
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('o.user_id', '=', userId)
      .where('o.list_id', 'in', [...ids])
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Of how many days nothing but these lists states a balance. */
  async countOnlyBalances(userId: string, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { count } = await this.em
      .getKysely<InferClassEntityDB<typeof StatedBalance>>()
      .selectFrom('stated_balances as s')
      .leftJoin('stated_balances as other', (join) =>
        join
          .onRef('other.user_id', '=', 's.user_id')
          .onRef('other.account_id', '=', 's.account_id')
          .onRef('other.date', '=', 's.date')
          .on((eb) => eb.or([eb('other.list_id', 'is', null), eb('other.list_id', 'not in', [...ids])])),
      )
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('s.user_id', '=', userId)
      .where('s.list_id', 'in', [...ids])
      .where('other.id', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** The rows of lists, by day. @param page.standing missing: of any */
  listRows(
    userId: string,
    ids: readonly string[],
    { standing, ...page }: PageQuery & { standing?: Standing },
  ): Promise<{ rows: OwnRow[]; totalCount: number }> {
    return atOneMoment(this.em, async (em) => {
      const wanted = { userId, listId: { $in: [...ids] }, ...(standing && { standing }) };
      const part = { orderBy: { date: 'asc', id: 'asc' }, limit: page.per_page, offset: offsetOf(page) } as const;
      const [rows, totalCount] = await em.findAndCount(OwnRow, wanted, part);
      return { rows, totalCount };
    });
  }

  /**
   * Adds a list to an account and derives its history.
   *
   * @returns its id
   * @throws DomainError as {@link preview}; `validation_failed` for more transactions than one account may have
   */
  async add(
    caller: Pick<Caller, 'userId' | 'timeZone'>,
    accountId: string,
    list: NewList,
    id: string = randomUUID(),
  ): Promise<string> {
    const { userId } = caller;
    await this.facts.change(caller, accountId, 'imported', async ({ em, account, now }) => {
      requireFit(account, list);
      const max = Math.floor(this.config.maxTransactionsPerPerson / 5);
      if ((await em.count(OwnRow, { userId, accountId })) + list.rows.length > max)
        throw validationFailed([`An account can have ${max.toLocaleString('en')} transactions from files.`]);
      const common = { userId, accountId, currency: list.currency, createdAt: now };
      const { first = null, last = null } = list.covered ?? {};
      await em.insert(ImportedList, {
        userId,
        accountId,
        id,
        name: list.name,
        firstDate: first,
        lastDate: last,
        createdAt: now,
      });
      // As it will be found before the history is derived: to store it and to change it costs more.
      const { placed } = placeList(await readListedFacts(em, account), list);
      const rows = list.rows.map((row, index) => {
        return { ...common, ...row, ...placed.get(String(index))!, id: randomUUID(), listId: id };
      });
      await insertRows(em, OwnRow, rows);
      await analyzeIfMany(em, 'own_rows', rows.length);
      const balances = list.balances.map((stated) => ({
        ...common,
        ...stated,
        id: randomUUID(),
        listId: id,
        prevails: false,
      }));
      await insertRows(em, StatedBalance, balances);
    });
    return id;
  }

  /** Takes a list out of its account: the history is then what it is without it. @throws DomainError `record_not_found` */
  async remove(caller: Pick<Caller, 'userId' | 'timeZone'>, id: string): Promise<void> {
    const { userId } = caller;
    const list = await reader(this.em).findOne(ImportedList, { userId, id });
    if (!list) throw recordNotFound('import');
    await this.facts.change(caller, list.accountId, 'imported', async ({ em }) => {
      // Rows and balances go with it.
      if ((await em.nativeDelete(ImportedList, { userId, id })) === 0) throw recordNotFound('import');
    });
  }
}

/** Decides which rows of a list count, before they are stored. Their ids are their places in it. */
function placeList(facts: ListedFacts, list: NewList): { rows: ListedRow[]; placed: Map<string, Placed> } {
  const rows = list.rows.map(({ date, amountMinor, description }, index): ListedRow => {
    return { id: String(index), day: dayNumber(date), amountMinor, text: description, since: Infinity };
  });
  const covered = list.covered ? [{ first: dayNumber(list.covered.first), last: dayNumber(list.covered.last) }] : [];
  return { rows, placed: placeAll(facts, { rows, covered }) };
}

/** @throws DomainError `validation_failed` */
function requireFit(account: Account, list: NewList): void {
  const { name, currency } = account;
  if (currency !== list.currency)
    throw validationFailed([`${name} is in ${currency ?? 'no currency'}, and the file is in ${list.currency}.`]);
  if (list.rows.length > 0) requireMovement(account, 'file');
  const { factor } = accountRules(account.accountType);
  const values = list.balances.map(({ balanceMinor }) => balanceMinor * factor);
  if (areBelowWorth(account, values))
    throw validationFailed([
      factor === -1
        ? `file must not have ${name} in credit: beside transactions, a balance that is owed has a minus`
        : `file must not have negative balances: ${name} is worth 0 or more`,
    ]);
}

/** A row may differ by a fee or by the rate of a foreign currency, which is nothing to pair by. */
const NEARLY = 0.05;

function nearAmounts(rows: readonly ListedRow[]): (row: ListedRow) => boolean {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const days = Array.from({ length: 2 * MAX_DAYS_APART + 1 }, (_, index) => index - MAX_DAYS_APART);
  return ({ day, amountMinor }) =>
    days.some((shift) =>
      byDay.get(day + shift)?.some((other) => {
        const apart = Math.abs(other.amountMinor - amountMinor);
        return apart > 0 && apart <= Math.abs(amountMinor) * NEARLY;
      }),
    );
}
