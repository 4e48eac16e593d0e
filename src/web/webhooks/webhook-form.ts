import {
  isWebAddress,
  MAX_DESCRIPTION_CHARS,
  MAX_URL_CHARS,
} from '../../webhooks/endpoints/webhook-endpoint.request.js';
import type { EndpointDraft } from '../../webhooks/endpoints/webhook-endpoints.service.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../webhooks/event-types.js';
import type { FieldErrors } from '../components/field.js';
import { type FormBody, textOf, textsOf } from '../components/form-body.js';

/** A new webhook, before anything is entered. */
export const EMPTY_DRAFT: EndpointDraft = { url: '', description: '', eventTypes: [...WEBHOOK_EVENT_TYPES] };

/** What was entered, as it is shown again when something is wrong. */
export function readWebhookForm(body: FormBody): { draft: EndpointDraft; errors: FieldErrors } {
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
