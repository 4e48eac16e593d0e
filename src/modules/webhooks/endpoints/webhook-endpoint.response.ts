import { ApiProperty } from '@nestjs/swagger';
import { Pagination } from '../../../http/pagination/page.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../event-types.js';
import {
  DISABLED_REASONS,
  type DisabledReason,
  ENDPOINT_STATUSES,
  type EndpointStatus,
  type WebhookEndpoint,
} from './webhook-endpoint.entity.js';

const TIME = { type: String, nullable: true, format: 'date-time' } as const;

export class WebhookResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uri', example: 'https://hooks.example/tidemark' })
  url: string;

  @ApiProperty({ example: 'Household spreadsheet' })
  description: string;

  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES, isArray: true, example: ['balances.changed', 'sync.finished'] })
  event_types: WebhookEventType[];

  @ApiProperty({ enum: ENDPOINT_STATUSES, example: 'enabled' })
  status: EndpointStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...DISABLED_REASONS, null],
    example: null,
    description: '`gone`: it answered 410. `failing`: for three days. `secret_lost`: rotate the secret first.',
  })
  disabled_reason: DisabledReason | null;

  @ApiProperty({ ...TIME, example: null })
  disabled_at: string | null;

  @ApiProperty({ ...TIME, example: null, description: '`null`: the last attempt succeeded, or there was none.' })
  failing_since: string | null;

  @ApiProperty({ ...TIME, example: null, description: 'When the failed message is tried again.' })
  next_attempt_at: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-03-02T06:17:04.211Z' })
  created_at: string;
}

export class WebhookCollection {
  @ApiProperty({ type: [WebhookResponse] })
  webhooks: WebhookResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

const SECRET = { example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', description: 'Shown only here. Keep it.' };

export class WebhookCreated extends WebhookResponse {
  @ApiProperty(SECRET)
  secret: string;
}

export class WebhookSecretRotated {
  @ApiProperty(SECRET)
  secret: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-03-03T06:17:04.211Z',
    description: 'Until when messages are also signed with the previous secret.',
  })
  previous_expires_at: string;
}

export function toWebhookResponse(endpoint: WebhookEndpoint): WebhookResponse {
  const { id, url, description, status, eventTypes, disabledReason, disabledAt, failingSince, nextAttemptAt } =
    endpoint;
  return {
    id,
    url,
    description,
    event_types: eventTypes,
    status,
    disabled_reason: disabledReason,
    disabled_at: disabledAt?.toISOString() ?? null,
    failing_since: failingSince?.toISOString() ?? null,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}
