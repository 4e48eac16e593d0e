import { Count, Day, Flag, Group, Id, List, Moment, OneOf, responseOf, Text, Texts } from '../../http/members.js';
import { Pagination } from '../../http/pagination/page.js';
import { completeUntil } from '../../platform/time/covered-days.js';
import { dateInTimeZone } from '../../platform/time/calendar-date.js';
import type { Connection } from '../connections/connection.entity.js';
import { staleness, type Staleness, STALENESS_LEVELS } from './connection-freshness.js';
import type { ConnectionView } from './connection-overview.queries.js';
import { SyncProblemResponse } from '../runs/sync.response.js';
import type { MergeSuggestion } from '../../balances/accounts/duplicates/merge-suggestions.js';

class StalenessResponse implements Staleness {
  @OneOf(STALENESS_LEVELS, { description: '`stale`: some account has been incomplete for more than two days.' })
  level: Staleness['level'];

  @Day({ nullable: true, description: 'The day up to which all accounts are complete.' })
  since: string | null;

  @Text({ nullable: true, description: 'The account that is stale, in a sentence.' })
  message: string | null;
}

class RequestBudgetResponse {
  @Count({
    nullable: true,
    example: 24,
    description: 'Requests in any 24 hours; `null`: the provider publishes no limit.',
  })
  limit: number | null;

  @Count({ nullable: true, example: 6, description: 'Requests left now.' })
  remaining: number | null;

  @Moment({ nullable: true, description: 'When there is room for the requests of a sync again; `null`: now.' })
  next_allowed_at: string | null;
}

class MissingAccountResponse {
  @Id({ from: 'id' })
  account_id: string;

  @Text({ example: 'Everyday Checking' })
  name: string;
}

class DeletedAccountResponse {
  @Id({ description: 'The id it had.' })
  account_id: string;

  @Text({ example: 'Old Savings' })
  name: string;

  @Moment()
  deleted_at: string;
}

class MergeSuggestionResponse {
  @Id({ from: ({ disconnected }: MergeSuggestion) => disconnected.id, description: 'The disconnected account.' })
  account_id: string;

  @Id({
    from: ({ replacement }: MergeSuggestion) => replacement.id,
    description: 'The account that is synced now and looks like it.',
  })
  duplicate_account_id: string;

  @Text({
    from: mergeQuestion,
    description: 'For a person.',
    example:
      'Is this the same account? “Everyday Checking” at North Quay Credit Union is disconnected, and “Checking” ' +
      'looks like it. Merge them to keep one history, or keep them separate.',
  })
  message: string;
}

export function mergeQuestion({ disconnected, replacement, sharesTransactions }: MergeSuggestion): string {
  const newer = disconnected.name === replacement.name ? 'a new account with the same name' : `“${replacement.name}”`;
  // Several banks have a "Checking".
  const bank = disconnected.institution === null ? '' : ` at ${disconnected.institution}`;
  const why = sharesTransactions ? 'lists the same transactions' : 'looks like it';
  return (
    `Is this the same account? “${disconnected.name}”${bank} is disconnected, and ${newer} ${why}. ` +
    'Merge them to keep one history, or keep them separate.'
  );
}

/** Never the credential. */
export class ConnectionResponse {
  @Id()
  id: string;

  @Text({
    example: 'us_provider',
    description: 'An installed provider, or one that this version does not know.',
  })
  provider: string;

  @Text({ example: 'My banks' })
  name: string;

  @OneOf(['active', 'attention_required'], {
    description: '`attention_required`: automatic syncs stop until you act.',
  })
  status: 'active' | 'attention_required';

  @Text({ nullable: true, description: 'What is wrong and what to do.' })
  status_reason: string | null;

  @Flag()
  include_pending: boolean;

  @Count({ example: 730 })
  history_days: number;

  @Moment({ nullable: true, description: 'When data last arrived.' })
  last_synced_at: string | null;

  @Moment({
    from: ({ status, nextSyncAt }: Connection) => (status === 'attention_required' ? null : nextSyncAt),
    nullable: true,
    description: 'The earliest time of the next automatic sync; `null`: as soon as possible, or none until you act.',
  })
  next_sync_at: string | null;

  @Moment({
    nullable: true,
    description: 'When the consent at the bank ends, so that it must be renewed before; `null`: unknown, or never.',
  })
  access_until: string | null;

  @Group(StalenessResponse, { from: stalenessOf })
  staleness: StalenessResponse;

  @Group(RequestBudgetResponse, { from: 'budget' })
  request_budget: RequestBudgetResponse;

  @Texts({
    nullable: true,
    example: ['1.0'],
    description: "Protocol versions the provider's server reports, for information only. `null`: not asked yet.",
  })
  server_versions: string[] | null;

  @Id({
    from: ({ latest }: ConnectionView) => latest?.id ?? null,
    nullable: true,
    description: 'The newest sync; follow it at `/api/v1/syncs/{id}`.',
  })
  latest_sync_id: string | null;

  @List(SyncProblemResponse, { description: 'Of the newest sync that has ended.' })
  problems: SyncProblemResponse[];

  @Count({
    from: ({ accounts }: ConnectionView) => accounts.filter(({ status }) => status === 'active').length,
    example: 6,
    description: 'Accounts that the provider lists.',
  })
  accounts_count: number;

  @List(MissingAccountResponse, {
    from: ({ accounts }: ConnectionView) =>
      accounts.filter(({ status, closedOn }) => status === 'missing' && closedOn === null),
    description: 'Accounts that the provider no longer lists. They and their history stay.',
  })
  missing_accounts: MissingAccountResponse[];

  @List(DeletedAccountResponse, {
    from: 'deleted',
    description:
      'Accounts that you deleted. Syncs leave them out until you restore them with ' +
      '`DELETE /api/v1/connections/{id}/deleted_accounts/{account_id}`.',
  })
  deleted_accounts: DeletedAccountResponse[];

  @List(MergeSuggestionResponse, {
    from: 'offers',
    description:
      'Disconnected accounts that the provider probably lists under another id. Answer with ' +
      '`POST /api/v1/accounts/{id}/merge` or ' +
      '`…/keep_separate`; nothing is merged automatically.',
  })
  merge_suggestions: MergeSuggestionResponse[];

  @Moment()
  created_at: string;
}

export class ConnectionCollection {
  @List(ConnectionResponse)
  connections: ConnectionResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

/** An account without a currency is never complete, which is a problem of its own. A closed one has ended. */
function stalenessOf({ connection, accounts, at }: ConnectionView): Staleness {
  const synced = accounts
    .filter(({ status, currency, closedOn }) => status === 'active' && currency !== null && closedOn === null)
    .map(({ name, covered, createdAt }) => {
      return { name, completeUntil: completeUntil(covered), firstSeen: dateInTimeZone(createdAt, 'UTC') };
    });
  return staleness(connection.lastSyncedAt, synced, dateInTimeZone(at, 'UTC'));
}

const shown = responseOf(ConnectionResponse);

export function toConnectionResponse(view: ConnectionView): ConnectionResponse {
  return shown({ ...view, ...view.connection });
}
