import {
  isWebAddress,
  MAX_DESCRIPTION_CHARS,
  MAX_URL_CHARS,
} from '../../webhooks/endpoints/webhook-endpoint.request.js';
import type { EndpointDraft } from '../../webhooks/endpoints/webhook-endpoints.service.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../webhooks/event-types.js';
import { Choice, Choices, Field } from '../components/form.js';
import { type Fields, textOf, textsOf } from '../components/form-fields.js';
import type { FieldErrors } from '../components/page-context.js';

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
