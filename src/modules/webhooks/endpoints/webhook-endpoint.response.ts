import { Group, Id, List, Moment, OneOf, Pagination, responseOf, SomeOf, Text } from '../../../kit.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../event-types.js';
import {
  DISABLED_REASONS,
  type DisabledReason,
  ENDPOINT_STATUSES,
  type EndpointStatus,
} from './webhook-endpoint.entity.js';

export class WebhookResponse {
  @Id()
  id: string;

  @Text({ format: 'uri', example: 'https://hooks.example/tidemark' })
  url: string;

  @Text({ example: 'Household spreadsheet' })
  description: string;

  @SomeOf(WEBHOOK_EVENT_TYPES, { example: ['balances.changed', 'sync.finished'] })
  event_types: readonly WebhookEventType[];

  @OneOf(ENDPOINT_STATUSES, { example: 'enabled' })
  status: EndpointStatus;

  @OneOf(DISABLED_REASONS, {
    nullable: true,
    example: null,
    description: '`gone`: it answered 410. `failing`: for three days. `secret_lost`: rotate the secret first.',
  })
  disabled_reason: DisabledReason | null;

  @Moment({ nullable: true, example: null })
  disabled_at: string | null;

  @Moment({ nullable: true, example: null, description: '`null`: the last attempt succeeded, or there was none.' })
  failing_since: string | null;

  @Moment({ nullable: true, example: null, description: 'When the failed message is tried again.' })
  next_attempt_at: string | null;

  @Moment({ example: '2026-03-02T06:17:04.211Z' })
  created_at: string;
}

export class WebhookCollection {
  @List(WebhookResponse)
  webhooks: WebhookResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

const SECRET = { example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', description: 'Shown only here. Keep it.' };

export class WebhookCreated extends WebhookResponse {
  @Text(SECRET)
  secret: string;
}

export class WebhookSecretRotated {
  @Text(SECRET)
  secret: string;

  @Moment({
    example: '2026-03-03T06:17:04.211Z',
    description: 'Until when messages are also signed with the previous secret.',
  })
  previous_expires_at: string;
}

export const toWebhookResponse = responseOf(WebhookResponse);
