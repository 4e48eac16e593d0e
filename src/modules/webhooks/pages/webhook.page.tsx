import {
  ButtonForm,
  Choice,
  Choices,
  Field,
  type FieldErrors,
  type Fields,
  FoldedForm,
  FormCard,
  momentText,
  Notice,
  Page,
  Pager,
  ShownMoment,
  type ShownOnce,
  textOf,
  textsOf,
  useTimeZone,
} from '../../../kit.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import { nameOf, type WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { EndpointDraft } from '../endpoints/webhook-endpoints.service.js';
import { isWebAddress, MAX_DESCRIPTION_CHARS, MAX_URL_CHARS } from '../endpoints/webhook-endpoint.request.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../event-types.js';
import { isStopped, type MadeSecret, SigningSecret, StoppedText, WebhookBadge } from './webhook-state.js';

const DONE = new Map([
  ['saved', 'Saved.'],
  ['asked', 'Sending. Reload this page to see the result.'],
]);

export interface WebhookPageProps {
  endpoint: WebhookEndpoint;
  deliveries: readonly WebhookDelivery[];
  page: number;
  last: number;
  /** By the form that was sent; it is shown once. */
  secret: ShownOnce<MadeSecret>;
  /** What was done just now. */
  done: string;
}

export function WebhookPage(props: WebhookPageProps) {
  const { endpoint, secret, done } = props;
  const doneText = DONE.get(done);
  return (
    <Page
      title={nameOf(endpoint)}
      back={{ href: '/settings/webhooks', text: 'Webhooks' }}
      heading={
        <>
          {nameOf(endpoint)} <WebhookBadge {...endpoint} />
        </>
      }
      lead={endpoint.url}
      isReading
    >
      {doneText && <Notice kind="done">{doneText}</Notice>}
      {isStopped(endpoint) && (
        <Notice kind="warn">
          <StoppedText endpoint={endpoint} />
        </Notice>
      )}
      {endpoint.failingSince && endpoint.nextAttemptAt && (
        <Notice kind="warn">
          Deliveries have failed since <ShownMoment at={endpoint.failingSince} />. Next attempt:{' '}
          <ShownMoment at={endpoint.nextAttemptAt} />.
        </Notice>
      )}
      <SigningSecret made={secret} />
      <Actions {...endpoint} />
      <Deliveries {...props} />
      <FormCard title="Address and events" action={`/settings/webhooks/${endpoint.id}`} submit="Save">
        <WebhookFields draft={endpoint} />
      </FormCard>
      <Secret {...endpoint} />
      <Removal {...endpoint} />
    </Page>
  );
}

function Actions({ id, status }: WebhookEndpoint) {
  const isEnabled = status === 'enabled';
  return (
    <section class="card">
      <h2>{isEnabled ? 'This webhook is enabled' : 'This webhook is disabled'}</h2>
      <p class="quiet">
        {isEnabled
          ? 'A test event shows whether your program answers.'
          : 'Nothing is sent. Once you enable it again, it receives every change since, in order.'}
      </p>
      <div class="actions">
        {isEnabled && (
          <ButtonForm action={`/settings/webhooks/${id}/test`} look="">
            Send test event
          </ButtonForm>
        )}
        <ButtonForm
          action={`/settings/webhooks/${id}/${isEnabled ? 'disable' : 'enable'}`}
          look={isEnabled ? 'second' : ''}
        >
          {isEnabled ? 'Disable' : 'Enable'}
        </ButtonForm>
      </div>
    </section>
  );
}

function Deliveries({ endpoint, deliveries, page, last }: WebhookPageProps) {
  const timeZone = useTimeZone();
  const canReplay = endpoint.status === 'enabled';
  return (
    <section class="card" id="deliveries">
      <h2>Deliveries</h2>
      {deliveries.length === 0 && <p class="quiet">Nothing has been sent yet.</p>}
      <ul class="lines">
        {deliveries.map((delivery) => (
          <li key={delivery.id} class="line">
            <div>
              <p>
                <b>{delivery.eventType}</b> <DeliveryBadge {...delivery} />
              </p>
              <p class="quiet small">
                <ShownMoment at={delivery.createdAt} /> · {outcomeOf(delivery)}
              </p>
              {delivery.problem && delivery.responseBody && (
                <p class="quiet small">
                  Answer: <q>{delivery.responseBody.slice(0, MAX_SHOWN_CHARS)}</q>
                </p>
              )}
            </div>
            {canReplay && delivery.status !== 'pending' && (
              <ButtonForm
                action={`/settings/webhooks/${endpoint.id}/deliveries/${delivery.id}/replay`}
                label={`Send again: ${delivery.eventType} of ${momentText(delivery.createdAt, timeZone)}`}
              >
                Send again
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
      <Pager
        label="Pages of deliveries"
        page={page}
        last={last}
        href={(to) => `/settings/webhooks/${endpoint.id}?page=${to}#deliveries`}
      />
    </section>
  );
}

/** Of the receiver's answer, which may be any text: enough to find a mistake. */
const MAX_SHOWN_CHARS = 200;

function DeliveryBadge({ status, trigger }: WebhookDelivery) {
  if (status === 'failed') return <span class="badge warn">Failed</span>;
  if (status === 'pending') return <span class="badge">Waiting</span>;
  return trigger === 'replay' ? <span class="badge">Sent again</span> : null;
}

function outcomeOf({ attempts, status, problem, responseStatus, durationMs }: WebhookDelivery): string {
  if (attempts === 0) return 'not sent yet';
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (status === 'delivered') return `answered ${responseStatus} after ${durationMs} ms · ${times}`;
  return [problem?.replace(/\.$/, ''), times].filter(Boolean).join(' · ');
}

function Secret({ id }: WebhookEndpoint) {
  return (
    <FormCard title="Signing secret" action={`/settings/webhooks/${id}/rotate-secret`} submit="Rotate secret">
      <p class="quiet">For 24 hours after a rotation, messages are signed with both the new and the old secret.</p>
    </FormCard>
  );
}

function Removal({ id }: WebhookEndpoint) {
  return (
    <FoldedForm
      class="card"
      title="Remove this webhook"
      action={`/settings/webhooks/${id}/remove`}
      submit="Remove permanently"
      look="danger"
    >
      <p>No more messages are sent to it, and its delivery log is deleted.</p>
    </FoldedForm>
  );
}

const TEXTS: Record<WebhookEventType, string> = {
  'balances.changed': 'Balances changed',
  'transactions.changed': 'Transactions changed',
  'sync.finished': 'A sync finished',
  'connection.attention_required': 'A connection needs attention',
  'connection.recovered': 'A connection recovered',
};

/** What a person enters of a webhook. */
export function WebhookFields({ draft }: { draft: EndpointDraft }) {
  return (
    <>
      <Field
        name="url"
        label="Address"
        required
        maxLength={MAX_URL_CHARS}
        value={draft.url}
        spellcheck={false}
        hint="The https address of your program, such as https://hooks.example/tidemark."
      />
      <Field
        name="description"
        label="Name"
        maxLength={MAX_DESCRIPTION_CHARS}
        value={draft.description}
        hint="Optional. Only you see this."
      />
      <Choices name="event_types" legend="Events">
        {WEBHOOK_EVENT_TYPES.map((type) => (
          <Choice key={type} name="event_types" value={type} checked={draft.eventTypes.includes(type)}>
            {TEXTS[type]} <code class="quiet small">{type}</code>
          </Choice>
        ))}
      </Choices>
    </>
  );
}

/** A new webhook, before anything is entered. */
export const EMPTY_DRAFT: EndpointDraft = { url: '', description: '', eventTypes: [...WEBHOOK_EVENT_TYPES] };

/** What was entered. */
export function readWebhookForm(body: Fields): { draft: EndpointDraft; errors: FieldErrors } {
  const draft: EndpointDraft = {
    url: textOf(body, 'url'),
    description: textOf(body, 'description'),
    eventTypes: textsOf(body, 'event_types').filter(isEventType),
  };
  const errors: FieldErrors = {};
  if (!isWebAddress(draft.url))
    errors.url = `Enter an address that begins with https:// (at most ${MAX_URL_CHARS} characters).`;
  if (draft.description.length > MAX_DESCRIPTION_CHARS)
    errors.description = `Use at most ${MAX_DESCRIPTION_CHARS} characters.`;
  if (draft.eventTypes.length === 0) errors.event_types = 'Choose at least one.';
  return { draft, errors };
}

function isEventType(text: string): text is WebhookEventType {
  return (WEBHOOK_EVENT_TYPES as readonly string[]).includes(text);
}
