import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, ErrorResponse, PageLinks, pagination, RequireScope } from '../../../kit.js';
import { WebhookEndpointsService } from '../endpoints/webhook-endpoints.service.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import {
  ListDeliveriesQuery,
  toDeliveryResponse,
  WebhookDeliveryCollection,
  WebhookDeliveryResponse,
} from './webhook-delivery.response.js';

const REFUSED = 'The webhook is disabled, or ten deliveries that you have asked for are waiting.';

@ApiTags('Webhooks')
@Controller('api/v1/webhooks')
export class WebhookDeliveriesController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @Get(':id/deliveries')
  @PageLinks()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description: 'Messages that were sent or wait to be sent, newest first.',
  })
  @ApiResponse({ status: 200, description: 'Deliveries listed.', type: WebhookDeliveryCollection })
  async list(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<WebhookDeliveryCollection> {
    const { rows, totalCount } = await this.deliveries.listPage(await this.endpoints.get(userId, id), query);
    return { deliveries: rows.map(toDeliveryResponse), pagination: pagination(query, totalCount) };
  }

  @Post(':id/test')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description: 'Sends a `webhook.test` once, ahead of retries. The list of deliveries shows the result.',
  })
  @ApiResponse({ status: 202, description: 'Queued.', type: WebhookDeliveryResponse })
  @ApiResponse({ status: 409, description: REFUSED, type: ErrorResponse })
  async test(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<WebhookDeliveryResponse> {
    return toDeliveryResponse(await this.deliveries.test(userId, id));
  }

  @Post('deliveries/:id/replay')
  @HttpCode(202)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'replayWebhookDelivery',
    summary: 'Send a delivery again',
    description: 'Once, with the same `webhook-id` and body, as a delivery of its own.',
  })
  @ApiResponse({ status: 202, description: 'Queued.', type: WebhookDeliveryResponse })
  @ApiResponse({ status: 409, description: REFUSED, type: ErrorResponse })
  async replay(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<WebhookDeliveryResponse> {
    return toDeliveryResponse(await this.deliveries.replay(userId, id));
  }
}
