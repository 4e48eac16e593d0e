import { ApiProperty } from '@nestjs/swagger';
import { Pagination } from '../api/page.js';
import { PROVIDER_NAMES } from './connect.request.js';
import type { ConnectionWithRun } from './connections.repository.js';
import { SyncProblemResponse, toSyncResponse } from './sync.response.js';

export class ConnectionResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ enum: PROVIDER_NAMES, example: 'us_provider' })
  provider: string;

  @ApiProperty({ example: 'My banks' })
  name: string;

  @ApiProperty({
    enum: ['active', 'attention_required'],
    description: '`attention_required`: nothing is synced until you act.',
  })
  status: 'active' | 'attention_required';

  @ApiProperty({ type: String, nullable: true, description: 'Why you are needed and what to do.' })
  status_reason: string | null;

  @ApiProperty()
  include_pending: boolean;

  @ApiProperty({ type: 'integer', example: 730 })
  history_days: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_synced_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The earliest time of the next automatic sync.',
  })
  next_sync_at: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The newest sync; follow it at `/api/v1/syncs/{id}`.',
  })
  latest_sync_id: string | null;

  @ApiProperty({ type: [SyncProblemResponse], description: 'Of the newest sync.' })
  problems: SyncProblemResponse[];

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
export function toConnectionResponse({ connection, latest }: ConnectionWithRun): ConnectionResponse {
  return {
    id: connection.id,
    provider: connection.provider,
    name: connection.name,
    status: connection.status,
    status_reason: connection.statusReason,
    include_pending: connection.includePending,
    history_days: connection.historyDays,
    last_synced_at: connection.lastSyncedAt?.toISOString() ?? null,
    next_sync_at: connection.nextSyncAt?.toISOString() ?? null,
    latest_sync_id: latest?.id ?? null,
    problems: latest ? toSyncResponse(latest).problems : [],
    created_at: connection.createdAt.toISOString(),
  };
}
