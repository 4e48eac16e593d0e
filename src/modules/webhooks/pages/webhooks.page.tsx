import { FoldedForm, Notice, Page, type ShownOnce } from '../../../kit.js';
import { nameOf, type WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { MAX_ENDPOINTS } from '../endpoints/webhook-endpoints.service.js';
import { EMPTY_DRAFT, WebhookFields } from './webhook.page.js';
import { isStopped, type MadeSecret, SigningSecret, StoppedWebhooks, WebhookBadge } from './webhook-state.js';

export interface WebhooksPageProps {
  endpoints: readonly WebhookEndpoint[];
  /** Of the webhook that was just made; it is shown once. */
  secret: ShownOnce<MadeSecret>;
  /** Whether a webhook was just removed. */
  isRemoved?: boolean;
}

export function WebhooksPage({ endpoints, secret, isRemoved = false }: WebhooksPageProps) {
  return (
    <Page
      title="Webhooks"
      back={{ href: '/settings', text: 'Settings' }}
      lead="Tidemark notifies your programs of changes. Messages contain no amounts or names: your program reads the changed records with an API key."
      isReading
    >
      {isRemoved && <Notice kind="done">The webhook was removed.</Notice>}
      <StoppedWebhooks stopped={endpoints.filter(isStopped)} />
      <SigningSecret made={secret} />
      {endpoints.length > 0 && (
        <ul class="card rows" aria-label="Your webhooks">
          {endpoints.map((endpoint) => (
            <li key={endpoint.id} class="line">
              <div>
                <p>
                  <a href={`/settings/webhooks/${endpoint.id}`}>
                    <b>{nameOf(endpoint)}</b>
                  </a>{' '}
                  <WebhookBadge {...endpoint} />
                </p>
                <p class="quiet small">{endpoint.url}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {endpoints.length < MAX_ENDPOINTS ? (
        <FoldedForm
          class="card"
          title="New webhook"
          action="/settings/webhooks"
          submit="Create webhook"
          open={endpoints.length === 0}
        >
          <WebhookFields draft={EMPTY_DRAFT} />
        </FoldedForm>
      ) : (
        <p class="quiet">{MAX_ENDPOINTS} webhooks are the limit. Remove one to add another.</p>
      )}
    </Page>
  );
}
