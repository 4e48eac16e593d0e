import { defineModule, type EventHandler, pruneExpired } from '../../kit.js';
import { pruneDeliveries } from './deliveries/prune-deliveries.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
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
  tag: { name: 'Webhooks', description: 'Notifications of changes for your own programs.' },
  module: WebhooksModule,
  entities: [WebhookEndpoint, WebhookSecret, WebhookDelivery],
  migrations: [Migration20261129000000Webhooks],
  on: Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, wake])),
  onlyFor: 'webhook_endpoints',
  personalData: [
    { type: 'webhook_endpoint', table: 'webhook_endpoints', without: ['attempt_id'], path: 'webhooks' },
    { type: 'webhook_secret', table: 'webhook_secrets', without: ['credential'] },
    { type: 'webhook_delivery', table: 'webhook_deliveries', path: 'deliveries' },
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
  auditEvents: {
    webhook_created: { text: 'Webhook created' },
    webhook_changed: { text: 'Webhook changed' },
    webhook_secret_rotated: { text: 'Webhook secret rotated' },
    webhook_disabled: { text: 'Webhook disabled by Tidemark', alarm: 'Needs attention' },
    webhook_removed: { text: 'Webhook removed' },
  },
  sealed: [
    {
      table: 'webhook_secrets',
      text: 'webhook secrets',
      afterLoss: `
        update webhook_endpoints e set status = 'disabled', disabled_reason = 'secret_lost', disabled_at = now()
        where status = 'enabled' and not exists (
          select 1 from webhook_secrets s where s.user_id = e.user_id and s.endpoint_id = e.id and s.expires_at is null
        )`,
    },
  ],
  gauges: [
    {
      name: 'tidemark_webhooks',
      help: 'Webhooks by state: enabled, failing (enabled, and the last attempt failed) and disabled.',
      labelNames: ['state'],
      sql: `
        select listed.state, count(e.id)::float8 as value
        from unnest(array['enabled', 'failing', 'disabled']) as listed(state)
        left join webhook_endpoints e on listed.state = case
          when e.status = 'disabled' then 'disabled' when e.failing_since is null then 'enabled' else 'failing'
        end
        group by listed.state`,
    },
    {
      name: 'tidemark_webhook_oldest_pending_seconds',
      help: 'How long the oldest message to an enabled webhook has waited to be delivered; 0 when none waits.',
      labelNames: [],
      sql: `
        select coalesce(extract(epoch from now() - min(d.created_at)), 0)::float8 as value
        from webhook_deliveries d join webhook_endpoints e on e.user_id = d.user_id and e.id = d.endpoint_id
        where d.status = 'pending' and e.status = 'enabled'`,
    },
  ],
  demo: async (get, { userId, receiverUrl: url }) => {
    const draft = { url, description: 'Receiver of the demo', eventTypes: WEBHOOK_EVENT_TYPES };
    const { endpoint } = await get(WebhookEndpointsService).create(userId, draft);
    await get(WebhookDeliveriesService).test(userId, endpoint.id);
  },
  lockedBeforeDeletion: ['webhook_endpoints'],
  retention: { webhook_deliveries: pruneDeliveries, webhook_secrets: pruneExpired('webhook_secrets') },
});
