import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { maySee } from '../../auth/account-limits.guard.js';
import { AuditTrailService } from '../../auth/audit/audit-trail.service.js';
import { reader } from '../../database/reader.js';
import type { Caller } from '../../http/caller.js';
import { isUuid } from '../../http/input/validators.js';
import { DomainError, recordNotFound, validationFailed } from '../../platform/domain-error.js';
import { currencyCode } from '../../platform/money/currency.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { Account } from '../accounts/account.entity.js';
import { Transaction } from '../transactions/transaction.entity.js';
import type { TransactionRecordResponse } from '../transactions/transaction-record.response.js';
import { TransactionsRepository } from '../transactions/transactions.repository.js';
import { ChangeFactsService, type FactChange, requireDay } from './change-facts.service.js';
import type { NewRow } from './imported-lists.service.js';
import { Correction, OwnRow } from './own-knowledge.entities.js';
import { findCorrections } from './settle-rows.js';
import { type AmountIn, requireMovement } from './statements.service.js';

/** Of one account. */
const MAX_ADDED = 10_000;

/** What a person says of a transaction. Missing: as before; `null`: as it is listed. */
export interface SaidOfTransaction {
  date?: CalendarDate | null | undefined;
  /** Finds it in minor units; money in is positive. */
  amount?: AmountIn | null | undefined;
  excluded?: boolean | null | undefined;
  note?: string | null | undefined;
}

/** What a person adds. */
export interface AddedRow extends Omit<NewRow, 'amountMinor'> {
  amount: AmountIn;
  note: string | null;
}

const NOTHING = { date: null, amountMinor: null, excluded: null, note: null };

/** Missing: without a limit to some accounts. */
type Who = Pick<Caller, 'userId' | 'timeZone'> & Partial<Pick<Caller, 'accountIds'>>;

/** What people correct in the lists of their accounts. What is listed stays stored beside it. */
@Injectable()
export class CorrectionsService {
  constructor(
    private readonly em: EntityManager,
    private readonly facts: ChangeFactsService,
    private readonly transactions: TransactionsRepository,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * The transaction as lists and its record say it.
   *
   * @throws DomainError `record_not_found`
   */
  async find({ userId, accountIds = null }: Who, id: string): Promise<TransactionRecordResponse> {
    const record = isUuid(id) ? await this.transactions.findRecord(userId, id) : null;
    if (!record || !maySee({ accountIds }, record.account.id)) throw recordNotFound('transaction');
    return record;
  }

  /**
   * Corrects a transaction, or takes corrections back.
   *
   * @throws DomainError `record_not_found`, `validation_failed`; `conflict` for one that is not listed any more
   */
  async correct(caller: Who, id: string, said: SaidOfTransaction): Promise<void> {
    const record = await this.find(caller, id);
    requireListed(record);
    await this.#change(caller, record, async (change) => {
      const { em, account, now, today } = change;
      const { userId } = account;
      if (said.date) requireDay(said.date, { today });
      const found = await findCorrections(em, account, id);
      const amountMinor = said.amount && said.amount(record.currency);
      const isOwn = record.source === 'person' && (await changeOwnRow(change, id, { date: said.date, amountMinor }));
      const { date, amountMinor: minor, excluded, note } = found[0] ?? NOTHING;
      const before = { date, amountMinor: minor, excluded, note };
      const after = {
        date: isOwn || said.date === undefined ? before.date : said.date,
        amountMinor: isOwn || amountMinor === undefined ? before.amountMinor : amountMinor,
        excluded: said.excluded === undefined ? before.excluded : said.excluded,
        note: (said.note === undefined ? before.note : said.note) || null,
      };
      if (!isOwn && isDeepStrictEqual(after, before)) return null;
      await deleteCorrections(change, found);
      const isSaid = Object.values(after).some((value) => value !== null);
      const first = found.at(-1);
      const times = { createdAt: first ? new Date(first.createdAt * 1000) : now, updatedAt: now };
      const row = { userId, accountId: account.id, transactionId: id, ...after, ...times };
      if (isSaid) await em.insert(Correction, row);
      return isSaid || isOwn ? 'transaction_corrected' : 'correction_undone';
    });
  }

  /** Takes everything back that the person has said of a transaction. @throws DomainError `record_not_found`; `conflict` for one that they have added */
  async undo(caller: Who, id: string): Promise<void> {
    const record = await this.find(caller, id);
    if (record.source === 'person') {
      const why = 'You have added this transaction, so nothing is listed to go back to.';
      throw new DomainError('conflict', `${why} Delete it: DELETE /api/v1/transactions/${id}.`);
    }
    await this.#change(caller, record, async (change) => {
      const found = await findCorrections(change.em, change.account, id);
      if (found.length === 0) throw recordNotFound('correction');
      await deleteCorrections(change, found);
      return 'correction_undone';
    });
  }

  /**
   * Adds a transaction that no list has. It counts until a list brings it.
   *
   * @returns its id
   * @throws DomainError `validation_failed`
   */
  async add(caller: Who, accountId: string, { amount, note, ...row }: AddedRow): Promise<string> {
    const { userId } = caller;
    const id = randomUUID();
    if (!(await reader(this.em).findOne(Account, { userId, id: accountId })))
      throw validationFailed(['account_id must be the id of an account of yours']);
    await this.facts.change(caller, accountId, 'corrected', async ({ em, account, now, today }) => {
      const currency = currencyCode(account.currency);
      if (!currency) throw validationFailed([`account_id: the currency of ${account.name} has no known minor unit`]);
      requireMovement(account, 'account_id');
      requireDay(row.date, { today });
      if ((await em.count(OwnRow, { userId, accountId, listId: null })) >= MAX_ADDED)
        throw validationFailed([
          `account_id: ${MAX_ADDED.toLocaleString('en')} transactions can be added to an account`,
        ]);
      const own = { userId, accountId, id, listId: null, currency, amountMinor: amount(currency), createdAt: now };
      await em.insert(OwnRow, { ...own, ...row, standing: 'left_out', pairedWith: null });
      if (note) {
        const said = { ...NOTHING, note, createdAt: now, updatedAt: now };
        await em.insert(Correction, { userId, accountId, transactionId: id, ...said });
      }
      await this.audit.record({ userId, kind: 'transaction_added', subjectId: id, subject: row.description });
    });
    return id;
  }

  /** Deletes a transaction that the person has added. @throws DomainError `record_not_found`; `conflict` for any other */
  async remove(caller: Who, id: string): Promise<void> {
    const record = await this.find(caller, id);
    if (record.source !== 'person') {
      const message =
        'Only a transaction that you have added can be deleted. Leave this one out: set excluded to true.';
      throw new DomainError('conflict', message);
    }
    await this.#change(caller, record, async ({ em, account: { userId, id: accountId } }) => {
      await em.nativeDelete(OwnRow, { userId, accountId, id, listId: null });
      await em.nativeDelete(Correction, { userId, accountId, transactionId: id });
      return 'transaction_removed';
    });
  }

  /** @throws DomainError `record_not_found` where it was removed, merged or deleted meanwhile */
  async #change(
    caller: Who,
    { account: { id: accountId }, id, description }: TransactionRecordResponse,
    change: (facts: FactChange) => Promise<string | null>,
  ): Promise<void> {
    const { userId } = caller;
    await this.facts.change(caller, accountId, 'corrected', async (facts) => {
      const where = { userId, accountId, id };
      const isThere = (await facts.em.count(Transaction, where)) + (await facts.em.count(OwnRow, where)) > 0;
      if (!isThere) throw recordNotFound('transaction');
      const kind = await change(facts);
      if (kind !== null) await this.audit.record({ userId, kind, subjectId: id, subject: description });
    });
  }
}

/** @throws DomainError `conflict` */
function requireListed({ status, source, replaced_by: by }: TransactionRecordResponse): void {
  if (status !== 'withdrawn' && status !== 'superseded') return;
  const gone =
    source === 'bank' ? 'The bank no longer lists this transaction.' : 'The bank lists this transaction itself.';
  throw new DomainError('conflict', by === null ? gone : `${gone} Correct the one in its place: ${by}.`);
}

/**
 * The date and the amount of a transaction that a person has added are what the person says last.
 *
 * @returns whether any of the two was said
 * @throws DomainError `validation_failed`
 */
async function changeOwnRow(
  { em, account: { userId, id: accountId } }: FactChange,
  id: string,
  { date, amountMinor }: { date: CalendarDate | null | undefined; amountMinor: number | null | undefined },
): Promise<boolean> {
  const ofOwn = 'is of your own transaction, so there is nothing listed to go back to';
  const nothing = [date === null && `date ${ofOwn}`, amountMinor === null && `amount ${ofOwn}`].filter(Boolean);
  if (nothing.length > 0) throw validationFailed(nothing as string[]);
  const said = { ...(date && { date }), ...(typeof amountMinor === 'number' && { amountMinor }) };
  if (Object.keys(said).length === 0) return false;
  await em.nativeUpdate(OwnRow, { userId, accountId, id }, said);
  return true;
}

async function deleteCorrections(
  { em, account: { userId } }: FactChange,
  found: readonly { transactionId: string }[],
): Promise<void> {
  const ids = found.map(({ transactionId }) => transactionId);
  if (ids.length > 0) await em.nativeDelete(Correction, { userId, transactionId: { $in: ids } });
}
