import { defineModule, type EventHandler, pruneExpired } from '../../kit.js';
import { pruneDeliveries } from './deliveries/prune-deliveries.js';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity.js';
import { WebhookSecret } from './endpoints/webhook-secret.entity.js';
import { stoppedText, WebhookEndpointsService } from './endpoints/webhook-endpoints.service.js';
import { SendWebhooksService } from './sending/send-webhooks.service.js';
import { Migration20261129000000Webhooks } from './20261129000000-webhooks.js';
import { WEBHOOK_EVENT_TYPES } from './event-types.js';
import { WebhooksModule } from './webhooks.module.js';

const wake: EventHandler = ({ userId }, get) => get(SendWebhooksService).wakeAll(userId);

export const webhooks = defineModule({
  name: 'webhooks',
  module: WebhooksModule,
  entities: [WebhookEndpoint, WebhookSecret, WebhookDelivery],
  migrations: [Migration20261129000000Webhooks],
  on: Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, wake])),
  onlyFor: 'webhook_endpoints',
  personalData: [
    { type: 'webhook_endpoint', table: 'webhook_endpoints', without: ['attempt_id'] },
    { type: 'webhook_secret', table: 'webhook_secrets', without: ['credential'] },
    { type: 'webhook_delivery', table: 'webhook_deliveries' },
  ],
  pages: [
    {
      place: 'settings',
      path: '/settings/webhooks',
      text: 'Webhooks',
      about: 'Tidemark can notify your own programs of changes.',
      link: 'Add or change',
    },
  ],
  attention: async (userId, get) =>
    (await get(WebhookEndpointsService).listStopped(userId)).map((endpoint) => ({
      text: stoppedText(endpoint),
      path: `/settings/webhooks/${endpoint.id}`,
    })),
  scopes: {
    'webhooks:read': 'See webhook endpoints and deliveries.',
    'webhooks:write': 'Add, change and remove webhook endpoints.',
  },
  lockedBeforeDeletion: ['webhook_endpoints'],
  retention: { webhook_deliveries: pruneDeliveries, webhook_secrets: pruneExpired('webhook_secrets') },
});
