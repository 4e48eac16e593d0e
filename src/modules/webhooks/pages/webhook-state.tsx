import { CopyableSecret, Notice, Once, type ShownOnce } from '../../../kit.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { type StoppedWebhook, stoppedText } from '../endpoints/webhook-endpoints.service.js';

/** A word about a webhook, beside its name. */
export function WebhookBadge({ status, failingSince }: WebhookEndpoint) {
  if (status === 'disabled') return <span class="badge">Disabled</span>;
  return failingSince ? <span class="badge warn">Failing</span> : null;
}

/** Whether it was disabled, and not by its person. */
export function isStopped({ status, disabledReason }: WebhookEndpoint): boolean {
  return status === 'disabled' && disabledReason !== 'person';
}

/** Webhooks that nobody wanted to be disabled, and where to see what to do. */
export function StoppedWebhooks({ stopped }: { stopped: readonly StoppedWebhook[] }) {
  return (
    <>
      {stopped.map((endpoint) => (
        <Notice key={endpoint.id} kind="warn">
          <StoppedText endpoint={endpoint} /> <a href={`/settings/webhooks/${endpoint.id}`}>See what to do</a>
        </Notice>
      ))}
    </>
  );
}

export function StoppedText({ endpoint }: { endpoint: StoppedWebhook }) {
  return <>{stoppedText(endpoint)}</>;
}

/** What a form has made, until its page shows it. */
export interface MadeSecret {
  secret: string;
}

export function SigningSecret({ made }: { made: ShownOnce<MadeSecret> }) {
  return (
    <Once made={made} again="This signing secret is shown only once. If you did not copy it, rotate it.">
      {({ secret }) => (
        <section class="card" role="status">
          <h2>Your signing secret</h2>
          <p>Copy it now. It is shown only once. Your program verifies messages with it.</p>
          <CopyableSecret id="signing-secret" text={secret} copy="Copy secret" />
        </section>
      )}
    </Once>
  );
}
