import {
  Amount,
  Day,
  Factor,
  Flag,
  Group,
  Id,
  List,
  Minor,
  Moment,
  OneOf,
  responseOf,
  Text,
} from '../../http/members.js';
import { Pagination } from '../../http/pagination/page.js';
import { isOwn } from './account.entity.js';
import { accountRules } from '../engine/account-type.js';
import { ACCOUNT_TYPES, type AccountType } from '../engine/ledger.js';
import { currencyCode } from '../../platform/money/currency.js';
import { amountText } from '../../platform/money/currency-text.js';

export class AccountResponse {
  @Id()
  id: string;

  @Text({ example: 'Everyday Checking' })
  name: string;

  @Text({ nullable: true, example: 'North Quay Credit Union' })
  institution: string | null;

  @OneOf(ACCOUNT_TYPES, { nullable: true, description: '`null`: not known yet.', example: 'depository' })
  account_type: AccountType | null;

  @Text({
    nullable: true,
    description: "ISO 4217 code, metal or coin (BTC, ETH, XAU, …), or the provider's own text where it is none.",
    example: 'USD',
  })
  currency: string | null;

  @Factor({
    from: ({ account_type }: AccountRow) => accountRules(account_type).factor,
    example: 1,
    description:
      '`1` for assets, `-1` for liabilities, whose balance is the amount owed: multiply balances by it to add them up.',
  })
  flows_factor: number;

  @Flag({
    from: ({ currency }: AccountRow) => currencyCode(currency) !== null,
    description: '`false`: shown, but without balances and history, since its currency has no minor unit.',
  })
  currency_supported: boolean;

  // The integer is behind the next member, where it always was.
  @Text({
    from: ({ balance_minor: minor, currency }: AccountRow) => (minor === null ? null : amountText(minor, currency!)),
    nullable: true,
    description: 'The newest balance; for a liability, the amount owed. `null`: never reported.',
    example: '$1,234.56',
  })
  balance: string | null;

  @Text({
    from: ({ currency, unsupported_balance }: AccountRow) => (currencyCode(currency) ? null : unsupported_balance),
    nullable: true,
    description: 'Where the currency is not supported: the newest balance as the provider reports it, decimal text.',
  })
  unsupported_balance: string | null;

  @Minor({ from: 'balance_minor', nullable: true, example: 123456 })
  balance_cents: number | null;

  @Amount({ nullable: true, example: 120000, description: 'As the provider reports it.' })
  available: string | null;
  available_cents: number | null;

  @Day({
    nullable: true,
    description:
      'The day of the balance, as the provider states it; otherwise the day it was reported. Of an account by hand: the ' +
      'last day of a value, of a file or of a transaction that was added.',
  })
  balance_date: string | null;

  @Day({
    nullable: true,
    description:
      'The date of the balance, if the provider lists the account without an error but has brought nothing new of it ' +
      'for seven days, though it usually does; `null`: it is not stale.',
  })
  stale_since: string | null;

  @Id({ nullable: true, description: '`null` once its connection was removed, and of an account by hand.' })
  connection_id: string | null;

  @Text({ example: 'us_provider', description: '`own`: added by hand.' })
  provider: string;

  @OneOf(['active', 'missing', 'disconnected'], {
    from: (row: AccountRow) => (row.connection_id === null && !isOwn(row) ? 'disconnected' : row.status),
    description: '`missing`: the provider no longer lists the account.',
  })
  status: 'active' | 'missing' | 'disconnected';

  @Day({ nullable: true, description: 'The last day of an account that you closed; `null`: it is open.' })
  closed_on: string | null;

  @Flag({ description: '`false`: you left it out of net worth.' })
  include_in_net_worth: boolean;

  @Flag({ example: false, description: '`true`: folded away in the overview. It still counts.' })
  hidden: boolean;

  @Flag({
    nullable: true,
    description: '`false`: holdings are not available from this provider. `null`: not known yet.',
  })
  holdings_supported: boolean | null;

  @Moment({ example: '2026-03-02T06:17:04.211Z' })
  created_at: string;

  @Moment({
    description: 'When the account itself last changed, such as its name; its balances have their own.',
    example: '2026-03-02T06:17:04.211Z',
  })
  updated_at: string;
}

export class AccountCollection {
  @List(AccountResponse)
  accounts: AccountResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

/** A row of the list query. Amounts in minor units. */
export interface AccountRow extends Omit<
  AccountResponse,
  | 'flows_factor'
  | 'currency_supported'
  | 'balance'
  | 'balance_cents'
  | 'available'
  | 'available_cents'
  | 'status'
  | 'created_at'
  | 'updated_at'
> {
  balance_minor: number | null;
  available_minor: number | null;
  status: 'active' | 'missing';
  /** Seconds of Unix time. */
  created_at: number;
  updated_at: number;
}

export const toAccountResponse: (row: AccountRow) => AccountResponse = responseOf(AccountResponse);
