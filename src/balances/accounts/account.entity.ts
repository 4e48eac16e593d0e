import { EntityRepositoryType, type LockMode, Type } from '@mikro-orm/core';
import { Property } from '@mikro-orm/decorators/legacy';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  DayColumn,
  FlagColumn,
  IdColumn,
  MomentColumn,
  TextColumn,
  UserRow,
  UserTable,
} from '../../database/columns.js';
import { isUuid } from '../../http/input/validators.js';
import { recordNotFound } from '../../platform/domain-error.js';
import type { AccountType } from '../engine/ledger.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { type CoveredDays, coveredDaysText, parseCoveredDays } from '../../platform/time/covered-days.js';
import { AccountsRepository } from './accounts.repository.js';

/** How a feed writes the days of transactions: as noon or midnight of the day, or as the moments of the payments. */
export type DatesAs = 'days' | 'instants';

class CoveredDaysType extends Type<CoveredDays, string> {
  override convertToDatabaseValue(covered: CoveredDays): string {
    return coveredDaysText(covered);
  }

  override convertToJSValue(text: string): CoveredDays {
    return parseCoveredDays(text);
  }

  override getColumnType(): string {
    return 'datemultirange';
  }
}

@UserTable('accounts', () => AccountsRepository)
export class Account extends UserRow<'accounts'> {
  [EntityRepositoryType]?: AccountsRepository;

  /** `null` when its connection was deleted: the account stays and is no longer synced. */
  @IdColumn({ nullable: true })
  connectionId: string | null;

  @TextColumn()
  provider: string;

  /** The provider's id, unique within the connection. */
  @TextColumn()
  externalId: string;

  @TextColumn()
  name: string;

  /** A person chose the name; no sync overwrites it. */
  @FlagColumn()
  nameChosen: boolean;

  @TextColumn({ nullable: true })
  institution: string | null;

  /** ISO 4217, the provider's own text if it is no such code, or `null` while unknown. */
  @TextColumn({ nullable: true })
  currency: string | null;

  /** The newest reported balance as decimal text, while the currency has no minor unit. */
  @TextColumn({ nullable: true })
  unsupportedBalance: string | null = null;

  @TextColumn({ nullable: true })
  accountType: AccountType | null;

  /** A person chose the type; no sync overwrites it. */
  @FlagColumn()
  accountTypeChosen: boolean;

  /** `null`: too few transactions have come to tell. */
  @TextColumn({ nullable: true })
  datesAs: DatesAs | null = null;

  @TextColumn()
  status: 'active' | 'missing';

  /** The last day of its history, set by a person. */
  @DayColumn({ nullable: true })
  closedOn: CalendarDate | null = null;

  /** `false`: a person excluded it from net worth. */
  @FlagColumn()
  includeInNetWorth = true;

  /** `true`: collapsed in the overview; it counts all the same. */
  @FlagColumn()
  hidden = false;

  @FlagColumn({ nullable: true })
  holdingsSupported: boolean | null;

  /** When holdings are requested again, although the provider said that there are none. */
  @DayColumn({ nullable: true })
  holdingsRetryOn: CalendarDate | null;

  /** The days of which its list of transactions is whole, in the person's timezone. */
  @Property({ type: CoveredDaysType })
  covered: CoveredDays = [];

  /** The date of its newest balance, if the provider lists the account but brings nothing new of it; `null`: it does. */
  @DayColumn({ nullable: true })
  staleSince: CalendarDate | null = null;

  /** When its whole history was last requested; `null`: before this was stored. */
  @MomentColumn({ nullable: true })
  historyAskedAt: Date | null = null;

  /** Of its last answer; `null`: the next one is compared with what is stored, as after an edit or a merge. */
  @TextColumn({ nullable: true })
  answerDigest: string | null = null;

  /** The bank lists what it has listed after this moment in the opposite sign, as its balances show; `null`: nothing. */
  @MomentColumn({ nullable: true })
  transactionsReversedSince: Date | null = null;

  @MomentColumn()
  createdAt: Date;

  @MomentColumn()
  updatedAt: Date;
}

/** Nobody has more, and a provider may list new ones at every sync. */
export const MAX_ACCOUNTS_OF_PERSON = 500;

/**
 * An account of a person.
 *
 * @param options such as a lock
 * @throws DomainError `record_not_found`
 */
export async function findAccount(
  em: EntityManager,
  userId: string,
  id: string,
  options: { lockMode?: LockMode } = {},
): Promise<Account> {
  const account = isUuid(id) ? await em.findOne(Account, { userId, id }, options) : null;
  if (!account) throw recordNotFound('account');
  return account;
}

/** The provider of accounts that a person has added by hand. */
export const OWN = 'own';

/** Whether a person has added the account by hand: its history continues until it is closed. */
export function isOwn({ provider }: Pick<Account, 'provider'>): boolean {
  return provider === OWN;
}

/** Whether an active connection lists the account, so that its last balance is current. */
export function isSynced({ connectionId, status }: Account): boolean {
  return connectionId !== null && status === 'active';
}
