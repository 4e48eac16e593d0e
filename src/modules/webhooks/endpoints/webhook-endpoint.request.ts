import { Given, GivenOneOf, GivenSomeOf, GivenText, visibleText } from '../../../kit.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../event-types.js';
import { ENDPOINT_STATUSES, type EndpointStatus } from './webhook-endpoint.entity.js';

export const MAX_URL_CHARS = 2_000;
export const MAX_DESCRIPTION_CHARS = 200;

/** Whether a text is an address of the web; the rules of the network may still forbid it. */
export function isWebAddress(text: string): boolean {
  return text.length <= MAX_URL_CHARS && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const PROBLEM = `must be an https address of at most ${MAX_URL_CHARS} characters`;

function Url(options: { optional?: boolean } = {}) {
  return Given<string>(
    {
      schema: { type: String, format: 'uri', minLength: 1, maxLength: MAX_URL_CHARS },
      problemOf: (value) => (typeof value === 'string' && isWebAddress(value) ? null : PROBLEM),
      clean: visibleText,
    },
    { ...options, example: 'https://hooks.example/tidemark', description: 'An https address on the public internet.' },
  );
}

const DESCRIPTION = {
  max: MAX_DESCRIPTION_CHARS,
  example: 'Household spreadsheet',
  problem: `must be a text of at most ${MAX_DESCRIPTION_CHARS} characters`,
};
const TYPES = { minItems: 1, uniqueItems: true, example: ['balances.changed', 'sync.finished'] } as const;

export class CreateWebhookRequest {
  @Url()
  url: string;

  @GivenText({ ...DESCRIPTION, default: '' })
  description: string = '';

  @GivenSomeOf(WEBHOOK_EVENT_TYPES, { ...TYPES, optional: true, description: 'The events to send. Without it: all.' })
  event_types: readonly WebhookEventType[] = WEBHOOK_EVENT_TYPES;
}

export class EditWebhookRequest {
  @Url({ optional: true })
  url?: string;

  @GivenText({ ...DESCRIPTION, optional: true })
  description?: string;

  @GivenSomeOf(WEBHOOK_EVENT_TYPES, { ...TYPES, optional: true })
  event_types?: readonly WebhookEventType[];

  @GivenOneOf(ENDPOINT_STATUSES, {
    optional: true,
    description: '`disabled`: nothing is sent. `enabled`: it gets all changes since then, in order.',
  })
  status?: EndpointStatus;
}
