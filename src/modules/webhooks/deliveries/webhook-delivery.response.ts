import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery, Pagination } from '../../../http/pagination/page.js';
import { ALL_EVENT_TYPES, type DeliveredType } from '../event-types.js';
import {
  DELIVERY_STATUSES,
  DELIVERY_TRIGGERS,
  type DeliveryStatus,
  type DeliveryTrigger,
  type WebhookDelivery,
} from './webhook-delivery.entity.js';

export class ListDeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DELIVERY_STATUSES, description: 'Only deliveries in this state.' })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES, { message: `status must be one of: ${DELIVERY_STATUSES.join(', ')}` })
  status?: DeliveryStatus;
}

export class WebhookDeliveryResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  webhook_id: string;

  @ApiProperty({
    example: 'msg_0d1c9a52a07fd24a4b6a9c395c2f0f4f',
    description: 'The `webhook-id`: the same for every attempt and replay.',
  })
  message_id: string;

  @ApiProperty({ enum: ALL_EVENT_TYPES, example: 'balances.changed' })
  type: DeliveredType;

  @ApiProperty({ enum: DELIVERY_TRIGGERS, example: 'change' })
  trigger: DeliveryTrigger;

  @ApiProperty({
    description: 'The body.',
    example:
      '{"type":"balances.changed","timestamp":"2026-03-02T06:17:04.211Z","data":{"cursor":"WzEsIjVYcTBfd2tUbzlhYSIsNDFd","account_ids":null}}',
  })
  payload: string;

  @ApiProperty({
    enum: DELIVERY_STATUSES,
    example: 'delivered',
    description: '`pending`: it waits for its turn. A test or replay is tried once.',
  })
  status: DeliveryStatus;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1 })
  attempts: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 204, description: '`null`: there was no answer.' })
  response_status: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'How the answer began, at most 1,000 bytes.',
  })
  response_body: string | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Why the last attempt failed.' })
  problem: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 87, description: 'Of the last attempt, in milliseconds.' })
  duration_ms: number | null;

  @ApiProperty({ format: 'date-time', example: '2026-03-02T06:17:04.211Z' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: '2026-03-02T06:17:04.302Z' })
  attempted_at: string | null;
}

export class WebhookDeliveryCollection {
  @ApiProperty({ type: [WebhookDeliveryResponse] })
  deliveries: WebhookDeliveryResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

export function toDeliveryResponse(delivery: WebhookDelivery): WebhookDeliveryResponse {
  const { id, eventType, trigger, payload, status, attempts, problem } = delivery;
  return {
    id,
    webhook_id: delivery.endpointId,
    message_id: delivery.messageId,
    type: eventType,
    trigger,
    payload,
    status,
    attempts,
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    problem,
    duration_ms: delivery.durationMs,
    created_at: delivery.createdAt.toISOString(),
    attempted_at: delivery.attemptedAt?.toISOString() ?? null,
  };
}
