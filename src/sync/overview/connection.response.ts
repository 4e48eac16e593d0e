import { ApiProperty } from '@nestjs/swagger';
import { Pagination } from '../../http/pagination/page.js';
import type { BudgetState } from '../connections/request-budget.service.js';
import { completeUntil } from '../../platform/time/covered-days.js';
import type { DeletedAccount } from '../ingest/delete-account/deleted-account.entity.js';
import { dateInTimeZone } from '../../platform/time/calendar-date.js';
import { staleness, type Staleness, STALENESS_LEVELS } from './connection-freshness.js';
import type { ConnectionView } from './connection-overview.queries.js';
import { SyncProblemResponse, toProblemResponse } from '../runs/sync.response.js';
import type { MergeSuggestion } from '../../balances/accounts/duplicates/merge-suggestions.js';

class StalenessResponse implements Staleness {
  @ApiProperty({
    enum: STALENESS_LEVELS,
    description: '`stale`: some account has been incomplete for more than two days.',
  })
  level: Staleness['level'];

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day up to which all accounts are complete.',
  })
  since: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The account that is stale, in a sentence.' })
  message: string | null;
}

class RequestBudgetResponse {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 24,
    description: 'Requests in any 24 hours; `null`: the provider publishes no limit.',
  })
  limit: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 6, description: 'Requests left now.' })
  remaining: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When there is room for the requests of a sync again; `null`: now.',
  })
  next_allowed_at: string | null;
}

class MissingAccountResponse {
  @ApiProperty({ format: 'uuid' })
  account_id: string;

  @ApiProperty({ example: 'Everyday Checking' })
  name: string;
}

class DeletedAccountResponse {
  @ApiProperty({ format: 'uuid', description: 'The id it had.' })
  account_id: string;

  @ApiProperty({ example: 'Old Savings' })
  name: string;

  @ApiProperty({ format: 'date-time' })
  deleted_at: string;
}

class MergeSuggestionResponse {
  @ApiProperty({ format: 'uuid', description: 'The disconnected account.' })
  account_id: string;

  @ApiProperty({ format: 'uuid', description: 'The account that is synced now and looks like it.' })
  duplicate_account_id: string;

  @ApiProperty({
    description: 'For a person.',
    example:
      'Is this the same account? “Everyday Checking” is disconnected, and “Checking” looks like it. ' +
      'Merge them to keep one history, or keep them separate.',
  })
  message: string;
}

export function toMergeSuggestionResponse({
  disconnected,
  replacement,
  sharesTransactions,
}: MergeSuggestion): MergeSuggestionResponse {
  const newer = disconnected.name === replacement.name ? 'a new account with the same name' : `“${replacement.name}”`;
  const why = sharesTransactions ? 'lists the same transactions' : 'looks like it';
  return {
    account_id: disconnected.id,
    duplicate_account_id: replacement.id,
    message:
      `Is this the same account? “${disconnected.name}” is disconnected, and ${newer} ${why}. ` +
      'Merge them to keep one history, or keep them separate.',
  };
}

const NULLABLE_TIME = { type: String, format: 'date-time', nullable: true } as const;

export class ConnectionResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({
    example: 'us_provider',
    description: 'An installed provider, or one that this version does not know.',
  })
  provider: string;

  @ApiProperty({ example: 'My banks' })
  name: string;

  @ApiProperty({
    enum: ['active', 'attention_required'],
    description: '`attention_required`: automatic syncs stop until you act.',
  })
  status: 'active' | 'attention_required';

  @ApiProperty({ type: String, nullable: true, description: 'What is wrong and what to do.' })
  status_reason: string | null;

  @ApiProperty()
  include_pending: boolean;

  @ApiProperty({ type: 'integer', example: 730 })
  history_days: number;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When data last arrived.' })
  last_synced_at: string | null;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'The earliest time of the next automatic sync; `null`: as soon as possible, or none until you act.',
  })
  next_sync_at: string | null;

  @ApiProperty({ type: StalenessResponse })
  staleness: StalenessResponse;

  @ApiProperty({ type: RequestBudgetResponse })
  request_budget: RequestBudgetResponse;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['1.0'],
    description: "Protocol versions the provider's server reports, for information only. `null`: not asked yet.",
  })
  server_versions: string[] | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The newest sync; follow it at `/api/v1/syncs/{id}`.',
  })
  latest_sync_id: string | null;

  @ApiProperty({ type: [SyncProblemResponse], description: 'Of the newest sync that has ended.' })
  problems: SyncProblemResponse[];

  @ApiProperty({ type: 'integer', example: 6, description: 'Accounts that the provider lists.' })
  accounts_count: number;

  @ApiProperty({
    type: [MissingAccountResponse],
    description: 'Accounts that the provider no longer lists. They and their history stay.',
  })
  missing_accounts: MissingAccountResponse[];

  @ApiProperty({
    type: [DeletedAccountResponse],
    description:
      'Accounts that you deleted. Syncs leave them out until you restore them with ' +
      '`DELETE /api/v1/connections/{id}/deleted_accounts/{account_id}`.',
  })
  deleted_accounts: DeletedAccountResponse[];

  @ApiProperty({
    type: [MergeSuggestionResponse],
    description:
      'Disconnected accounts that the provider probably lists under another id. Answer with ' +
      '`POST /api/v1/accounts/{id}/merge` or ' +
      '`…/keep_separate`; nothing is merged automatically.',
  })
  merge_suggestions: MergeSuggestionResponse[];

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export class ConnectionCollection {
  @ApiProperty({ type: [ConnectionResponse] })
  connections: ConnectionResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

/** Never the credential. */
export function toConnectionResponse(view: ConnectionView): ConnectionResponse {
  const { connection, accounts } = view;
  const needsPerson = connection.status === 'attention_required';
  return {
    id: connection.id,
    provider: connection.provider,
    name: connection.name,
    status: connection.status,
    status_reason: connection.statusReason,
    include_pending: connection.includePending,
    history_days: connection.historyDays,
    last_synced_at: connection.lastSyncedAt?.toISOString() ?? null,
    next_sync_at: needsPerson ? null : (connection.nextSyncAt?.toISOString() ?? null),
    staleness: stalenessOf(view),
    request_budget: toBudgetResponse(view.budget),
    server_versions: connection.serverVersions,
    latest_sync_id: view.latest?.id ?? null,
    problems: view.problems.map(toProblemResponse),
    accounts_count: accounts.filter(({ status }) => status === 'active').length,
    missing_accounts: accounts
      .filter(({ status, closedOn }) => status === 'missing' && closedOn === null)
      .map(({ id, name }) => ({ account_id: id, name })),
    deleted_accounts: view.deleted.map(toDeletedAccountResponse),
    merge_suggestions: view.offers.map(toMergeSuggestionResponse),
    created_at: connection.createdAt.toISOString(),
  };
}

/** An account without a currency is never complete, which is a problem of its own. A closed one has ended. */
function stalenessOf({ connection, accounts, at }: ConnectionView): StalenessResponse {
  const synced = accounts
    .filter(({ status, currency, closedOn }) => status === 'active' && currency !== null && closedOn === null)
    .map(({ name, covered, createdAt }) => {
      return { name, completeUntil: completeUntil(covered), firstSeen: dateInTimeZone(createdAt, 'UTC') };
    });
  return staleness(connection.lastSyncedAt, synced, dateInTimeZone(at, 'UTC'));
}

function toBudgetResponse({ limit, remaining, nextAllowedAt }: BudgetState): RequestBudgetResponse {
  return { limit, remaining, next_allowed_at: nextAllowedAt?.toISOString() ?? null };
}

function toDeletedAccountResponse({ accountId, name, deletedAt }: DeletedAccount): DeletedAccountResponse {
  return { account_id: accountId, name, deleted_at: deletedAt.toISOString() };
}
