import {
  Count,
  GivenOneOf,
  Group,
  Id,
  List,
  Moment,
  OneOf,
  PageQuery,
  Pagination,
  responseOf,
  Text,
} from '../../../kit.js';
import { ALL_EVENT_TYPES, type DeliveredType } from '../event-types.js';
import {
  DELIVERY_STATUSES,
  DELIVERY_TRIGGERS,
  type DeliveryStatus,
  type DeliveryTrigger,
} from './webhook-delivery.entity.js';

export class ListDeliveriesQuery extends PageQuery {
  @GivenOneOf(DELIVERY_STATUSES, { optional: true, description: 'Only deliveries in this state.' })
  status?: DeliveryStatus;
}

export class WebhookDeliveryResponse {
  @Id()
  id: string;

  @Id({ from: 'endpoint_id' })
  webhook_id: string;

  @Text({
    example: 'msg_0d1c9a52a07fd24a4b6a9c395c2f0f4f',
    description: 'The `webhook-id`: the same for every attempt and replay.',
  })
  message_id: string;

  @OneOf(ALL_EVENT_TYPES, { from: 'event_type', example: 'balances.changed' })
  type: DeliveredType;

  @OneOf(DELIVERY_TRIGGERS, { example: 'change' })
  trigger: DeliveryTrigger;

  @Text({
    description: 'The body.',
    example:
      '{"type":"balances.changed","timestamp":"2026-03-02T06:17:04.211Z","data":{"cursor":"WzEsIjVYcTBfd2tUbzlhYSIsNDFd","account_ids":null}}',
  })
  payload: string;

  @OneOf(DELIVERY_STATUSES, {
    example: 'delivered',
    description: '`pending`: it waits for its turn. A test or replay is tried once.',
  })
  status: DeliveryStatus;

  @Count({ minimum: 0, example: 1 })
  attempts: number;

  @Count({ nullable: true, example: 204, description: '`null`: there was no answer.' })
  response_status: number | null;

  @Text({ nullable: true, example: null, description: 'How the answer began, at most 1,000 bytes.' })
  response_body: string | null;

  @Text({ nullable: true, example: null, description: 'Why the last attempt failed.' })
  problem: string | null;

  @Count({ nullable: true, example: 87, description: 'Of the last attempt, in milliseconds.' })
  duration_ms: number | null;

  @Moment({ example: '2026-03-02T06:17:04.211Z' })
  created_at: string;

  @Moment({ nullable: true, example: '2026-03-02T06:17:04.302Z' })
  attempted_at: string | null;
}

export class WebhookDeliveryCollection {
  @List(WebhookDeliveryResponse)
  deliveries: WebhookDeliveryResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

export const toDeliveryResponse = responseOf(WebhookDeliveryResponse);
