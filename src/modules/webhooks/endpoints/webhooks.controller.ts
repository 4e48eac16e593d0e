import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  type Caller,
  CurrentCaller,
  ErrorResponse,
  PageLinks,
  PageQuery,
  pagination,
  RequireScope,
} from '../../../kit.js';
import { CreateWebhookRequest, EditWebhookRequest } from './webhook-endpoint.request.js';
import {
  toWebhookResponse,
  WebhookCollection,
  WebhookCreated,
  WebhookResponse,
  WebhookSecretRotated,
} from './webhook-endpoint.response.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

@ApiTags('Webhooks')
@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  @Get()
  @PageLinks()
  @RequireScope('webhooks:read')
  @ApiOperation({ operationId: 'listWebhooks', summary: 'List webhooks', description: 'Newest first.' })
  @ApiResponse({ status: 200, description: 'Webhooks listed.', type: WebhookCollection })
  async list(@CurrentCaller() { userId }: Caller, @Query() query: PageQuery): Promise<WebhookCollection> {
    const { rows, totalCount } = await this.endpoints.listPage(userId, query);
    return { webhooks: rows.map(toWebhookResponse), pagination: pagination(query, totalCount) };
  }

  @Post()
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: `
Messages follow [Standard Webhooks](https://www.standardwebhooks.com) 1.0: a POST with \`webhook-id\`,
\`webhook-timestamp\` and \`webhook-signature\`. The body has \`type\`, \`timestamp\` and \`data\`; \`data.cursor\` given to
\`GET /api/v1/changes\` lists the change and everything after it. Each message comes at least once and in order; a
repeated one has the same \`webhook-id\`. Any 2xx within 15 s accepts it. Anything else is retried for three days,
then the webhook is disabled; 410 disables it at once. \`changes.expired\` asks to start again with an empty copy.
`.trim(),
  })
  @ApiResponse({ status: 201, description: 'Created. It receives changes from now on.', type: WebhookCreated })
  @ApiResponse({ status: 409, description: 'You have reached the limit of webhooks.', type: ErrorResponse })
  async create(
    @CurrentCaller() { userId }: Caller,
    @Body() { url, description, event_types: eventTypes }: CreateWebhookRequest,
  ): Promise<WebhookCreated> {
    const { endpoint, secret } = await this.endpoints.create(userId, { url, description, eventTypes });
    return { ...toWebhookResponse(endpoint), secret: secret.reveal() };
  }

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({ operationId: 'getWebhook', summary: 'Get one webhook' })
  @ApiResponse({ status: 200, description: 'The webhook as it is now.', type: WebhookResponse })
  async get(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<WebhookResponse> {
    return toWebhookResponse(await this.endpoints.get(userId, id));
  }

  @Patch(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({ operationId: 'editWebhook', summary: 'Change, disable or enable a webhook' })
  @ApiResponse({ status: 200, description: 'The webhook as it is now.', type: WebhookResponse })
  @ApiResponse({ status: 409, description: 'The webhook has no secret to sign with.', type: ErrorResponse })
  async edit(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Body() { event_types: eventTypes, ...request }: EditWebhookRequest,
  ): Promise<WebhookResponse> {
    const changes = { ...request, ...(eventTypes && { eventTypes }) };
    return toWebhookResponse(await this.endpoints.edit(userId, id, changes));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Remove a webhook',
    description: '**This cannot be undone.** With its secret and its deliveries.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  async remove(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<void> {
    await this.endpoints.remove(userId, id);
  }

  @Post(':id/rotate_secret')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Get a new secret',
    description: 'For 24 hours messages carry two signatures, one with each secret.',
  })
  @ApiResponse({ status: 200, description: 'The new secret.', type: WebhookSecretRotated })
  async rotateSecret(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<WebhookSecretRotated> {
    const { secret, previousExpiresAt } = await this.endpoints.rotateSecret(userId, id);
    return { secret: secret.reveal(), previous_expires_at: previousExpiresAt.toISOString() };
  }
}
