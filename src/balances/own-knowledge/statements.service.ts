import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../auth/audit/audit-trail.service.js';
import { reader } from '../../database/reader.js';
import type { Caller } from '../../http/caller.js';
import { isUuid } from '../../http/input/validators.js';
import { offsetOf, type PageQuery } from '../../http/pagination/page.js';
import { DomainError, recordNotFound, validationFailed } from '../../platform/domain-error.js';
import { currencyCode } from '../../platform/money/currency.js';
import { type CalendarDate, isCalendarDate } from '../../platform/time/calendar-date.js';
import { Account, findAccount, isOwn } from '../accounts/account.entity.js';
import { accountRules } from '../engine/account-type.js';
import type { AccountType } from '../engine/ledger.js';
import { ReconciliationService } from '../reconciliation/reconciliation.service.js';
import { ChangeFactsService, type FactChange, requireDay } from './change-facts.service.js';
import { ImportedList, StatedBalance } from './own-knowledge.entities.js';
import type { StatementRow, ValueRow } from './statement.response.js';

type Person = Pick<Caller, 'userId' | 'timeZone'>;

/** Finds an amount in minor units and the account's own sign: for a liability, the amount owed. */
export type AmountIn = (currency: string) => number;

/** The statement that counts where the bank reports nothing comes first. */
const COUNTING_FIRST = { prevails: 'desc', listId: 'desc nulls first', createdAt: 'desc', id: 'desc' } as const;

/** What people and files state of the balances of accounts, and what accounts by hand are worth. */
@Injectable()
export class StatementsService {
  constructor(
    private readonly em: EntityManager,
    private readonly facts: ChangeFactsService,
    private readonly reconciliations: ReconciliationService,
    private readonly audit: AuditTrailService,
  ) {}

  /** Newest first. @throws DomainError `record_not_found`; UncountableAmountsError */
  async listPage(caller: Person, accountId: string, page: PageQuery) {
    const account = await findAccount(reader(this.em), caller.userId, accountId);
    const [stated, totalCount] = await reader(this.em).findAndCount(StatedBalance, keyOf(account), {
      orderBy: { date: 'desc', ...COUNTING_FIRST },
      limit: page.per_page,
      offset: offsetOf(page),
    });
    return { rows: await this.#compare(caller, account, stated), totalCount };
  }

  /** One of each day, newest first: the one that counts, or would without the bank. @throws as {@link listPage} */
  async listByDay(caller: Person, accountId: string, page: PageQuery) {
    const account = await findAccount(reader(this.em), caller.userId, accountId);
    const stated = await reader(this.em).find(StatedBalance, keyOf(account), {
      orderBy: { date: 'desc', ...COUNTING_FIRST },
    });
    const byDay = Map.groupBy(await this.#compare(caller, account, stated), ({ date }) => date);
    const days = Array.from(byDay.values(), (ofDay) => ofDay.find(({ counts }) => counts) ?? ofDay[0]!);
    return { rows: days.slice(offsetOf(page), offsetOf(page) + page.per_page), totalCount: days.length };
  }

  /** The newest days of which an account has a balance stated, the last one at `until`, without what the history says of them. */
  async listDays(
    userId: string,
    accountId: string,
    limit: number,
    until: CalendarDate = '9999-12-31',
  ): Promise<CalendarDate[]> {
    const found = await reader(this.em).find(
      StatedBalance,
      { userId, accountId, date: { $lte: until } },
      { fields: ['date'], orderBy: { date: 'desc' }, limit },
    );
    return found.map(({ date }) => date);
  }

  /** @throws as {@link listPage} */
  async get(caller: Person, accountId: string, id: string): Promise<StatementRow> {
    const account = await findAccount(reader(this.em), caller.userId, accountId);
    const stated = isUuid(id) ? await reader(this.em).find(StatedBalance, { ...keyOf(account), id }) : [];
    const [row] = await this.#compare(caller, account, stated);
    if (!row) throw recordNotFound('statement');
    return row;
  }

  /** With what the history says of the same days. */
  async #compare(caller: Person, account: Account, stated: readonly StatedBalance[]): Promise<StatementRow[]> {
    if (stated.length === 0) return [];
    const met = await this.reconciliations.readStatements(caller, account.id);
    const { factor } = accountRules(account.accountType);
    return stated.map(({ id, date, currency, listId, prevails, createdAt, ...statement }): StatementRow => {
      const balanceMinor = statement.balanceMinor * factor + 0;
      const { derivedMinor = null, counts = false } = met.get(id) ?? {};
      return {
        id,
        date,
        currency,
        list_id: listId,
        prevails,
        counts,
        created_at: createdAt,
        balance_minor: balanceMinor,
        derived_balance_minor: derivedMinor,
        agrees: derivedMinor === null ? null : derivedMinor === balanceMinor,
      };
    });
  }

  /**
   * Stores what the person says of the end of a day, in place of what they said of it before.
   *
   * @returns its id
   * @throws DomainError `record_not_found`, `validation_failed`
   */
  state(caller: Person, accountId: string, date: CalendarDate, amountIn: AmountIn): Promise<string> {
    return this.#change(caller, accountId, async (facts) => {
      const { id, isNew } = await storeStated(facts, date, amountIn);
      await this.#record(facts, isNew ? 'statement_added' : 'statement_changed', date);
      return id;
    });
  }

  /** @throws DomainError `record_not_found` */
  async setPrevails(caller: Person, accountId: string, id: string, prevails: boolean): Promise<void> {
    await this.#change(caller, accountId, async (facts) => {
      const stated = await findStated(facts, id);
      if (stated.prevails === prevails) return;
      stated.prevails = prevails;
      await this.#record(facts, 'statement_changed', stated.date);
    });
  }

  /** @throws DomainError `record_not_found`; `conflict` for the balance of a file, which goes with the file's list */
  async remove(caller: Person, accountId: string, id: string): Promise<void> {
    await this.#change(caller, accountId, async (facts) => {
      const stated = await findStated(facts, id);
      if (stated.listId !== null) {
        const { name } = await facts.em.findOneOrFail(ImportedList, { userId: caller.userId, id: stated.listId });
        throw new DomainError('conflict', `“${name}” states this balance: remove that import to take it back.`);
      }
      await facts.em.remove(stated).flush();
      await this.#record(facts, 'statement_removed', stated.date);
    });
  }

  /** What counts on each day, newest first. @throws DomainError `record_not_found`, `conflict` unless it is an account by hand */
  async listValues(userId: string, accountId: string, page: PageQuery) {
    const account = await findAccount(reader(this.em), userId, accountId);
    requireOwn(account);
    const { factor } = accountRules(account.accountType);
    const all = await reader(this.em).find(StatedBalance, keyOf(account), {
      orderBy: { date: 'desc', ...COUNTING_FIRST },
    });
    const counting = all.filter(({ date }, index) => date !== all[index - 1]?.date);
    const shown = counting.slice(offsetOf(page), offsetOf(page) + page.per_page);
    const rows = shown.map(({ date, currency, listId, balanceMinor }): ValueRow => {
      return { date, currency, list_id: listId, value_minor: balanceMinor * factor + 0 };
    });
    return { rows, totalCount: counting.length };
  }

  /** Says what an account by hand is worth on a day. @throws DomainError as {@link state} and {@link listValues} */
  async setValue(caller: Person, accountId: string, date: CalendarDate, amountIn: AmountIn): Promise<ValueRow> {
    return this.#change(caller, accountId, async (facts) => {
      requireOwn(facts.account);
      const { currency, minor } = await storeStated(facts, date, amountIn);
      await this.#record(facts, 'value_set', date);
      return { date, currency, list_id: null, value_minor: minor };
    });
  }

  /** @throws DomainError `record_not_found`; `conflict` unless it is an account by hand */
  async removeValue(caller: Person, accountId: string, date: CalendarDate): Promise<void> {
    await this.#change(caller, accountId, async (facts) => {
      requireOwn(facts.account);
      const ofDay = { ...keyOf(facts.account), date, listId: null };
      if (!isCalendarDate(date) || (await facts.em.nativeDelete(StatedBalance, ofDay)) === 0)
        throw recordNotFound('value');
      await this.#record(facts, 'value_removed', date);
    });
  }

  #change<Result>(caller: Person, accountId: string, change: (facts: FactChange) => Promise<Result>) {
    return this.facts.change(caller, accountId, 'stated_balance', change);
  }

  async #record({ account: { userId, id, name } }: FactChange, kind: string, date: CalendarDate): Promise<void> {
    await this.audit.record({ userId, kind, subjectId: id, subject: `${name}, ${date}` });
  }
}

function keyOf({ userId, id }: Account) {
  return { userId, accountId: id };
}

/** @throws DomainError `record_not_found` */
async function findStated({ em, account }: FactChange, id: string): Promise<StatedBalance> {
  const stated = isUuid(id) ? await em.findOne(StatedBalance, { ...keyOf(account), id }) : null;
  if (!stated) throw recordNotFound('statement');
  return stated;
}

/** @throws DomainError `conflict` */
function requireOwn(account: Account): void {
  if (isOwn(account)) return;
  const why = 'is not an account by hand: state its balance of a day with POST /api/v1/accounts/{id}/statements.';
  throw new DomainError('conflict', `“${account.name}” ${why}`);
}

/** Whether a thing by hand would be worth less than nothing, or a debt be none. @param values in the account's own sign */
export function areBelowWorth(account: Account, values: readonly number[]): boolean {
  const { accountType: type } = account;
  return isOwn(account) && (owesOnly(type) || movesByValues(type)) && values.some((minor) => minor < 0);
}

/** Whether an account by hand only owes: a card may be overpaid. */
export function owesOnly(type: AccountType | null): boolean {
  return type === 'loan' || type === 'other_liability';
}

/** @throws DomainError `validation_failed` for transactions of a thing by hand, which moves by its values only */
export function requireMovement(account: Account, member: string): void {
  if (isOwn(account) && movesByValues(account.accountType))
    throw validationFailed([
      `${member} must not have transactions for ${account.name}, which moves by its values only: say what it is worth`,
    ]);
}

/** Whether an account is worth what was last said, whatever is listed of it: a house, a car. */
export function movesByValues(type: AccountType | null): boolean {
  return accountRules(type).movedBy === 'valuation';
}

/**
 * One balance of a person for each day. It counts where the one of a file did, which the person preferred to the bank's.
 *
 * @throws DomainError `validation_failed`
 */
export async function storeStated(
  facts: FactChange,
  date: CalendarDate,
  amountIn: AmountIn,
): Promise<{ id: string; isNew: boolean; currency: string; minor: number }> {
  requireDay(date, facts);
  const { em, account, now } = facts;
  const currency = currencyCode(account.currency);
  if (currency === null)
    throw validationFailed([`id: the currency of ${account.name} is not supported, so it has no balances to state.`]);
  const minor = amountIn(currency);
  if (areBelowWorth(account, [minor])) {
    const why = owesOnly(account.accountType)
      ? 'a debt is a positive amount, what is owed'
      : `${account.name} is worth 0 or more`;
    throw validationFailed([`value must not be negative: ${why}`]);
  }
  const said = { balanceMinor: minor * accountRules(account.accountType).factor + 0, currency, createdAt: now };
  const known = await em.findOne(StatedBalance, { ...keyOf(account), date, listId: null });
  const stated =
    known ??
    em.create(StatedBalance, { ...keyOf(account), id: randomUUID(), listId: null, date, prevails: false, ...said });
  const ofFiles = { ...keyOf(account), date, listId: { $ne: null }, prevails: true };
  const wasPreferred = (await em.nativeUpdate(StatedBalance, ofFiles, { prevails: false })) > 0;
  Object.assign(stated, said, wasPreferred && { prevails: true });
  await em.persist(stated).flush();
  return { id: stated.id, isNew: known === null, currency, minor };
}
