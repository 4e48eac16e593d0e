import type { HeaderObject, ParameterObject } from '@nestjs/swagger';
import { MAX_IDEMPOTENCY_KEY_CHARS } from '../../http/idempotency/idempotency.interceptor.js';

const text = (description: string, example: string, required = true): HeaderObject => ({
  description,
  required,
  schema: { type: 'string' },
  example,
});
const number = (description: string, example: number): HeaderObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** Every header of an answer besides those of HTTP itself. */
export const HEADERS: Record<string, HeaderObject> = {
  'X-Request-Id': text(
    'The id you sent if it is valid, otherwise a new one. The log has it, too.',
    '3d1c0a52-7d2c-4a6a-9c39-5c2f0f4f7f11',
  ),
  'RateLimit-Limit': number('Requests per minute that this key may make.', 600),
  'RateLimit-Remaining': number('Requests left in this minute.', 587),
  'RateLimit-Reset': number('Seconds until the minute ends.', 23),
  'Retry-After': { ...number('Seconds to wait before the next try.', 23), required: true },
  'WWW-Authenticate': text('How to authenticate.', 'ApiKey realm="tidemark", header="X-Api-Key"'),
  'Cache-Control': text('Whether the answer may be kept.', 'private, no-cache'),
  ETag: text('Weak validator; send it back as `If-None-Match`.', 'W/"pV0mJm3l3W0f1jQ2x9eX5A"', false),
  Link: text(
    'The first, previous, next and last page (RFC 8288).',
    '<https://money.example/api/v1/balances?page=1>; rel="first", <https://money.example/api/v1/balances?page=2>; rel="next", <https://money.example/api/v1/balances?page=132>; rel="last"',
    false,
  ),
  Location: text(
    'Where the record is that was created or accepted.',
    '/api/v1/connections/7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90',
  ),
  Warning: text(
    'The names of unknown parameters, if any were sent.',
    '299 - "Unknown query parameters are ignored: startdate"',
    false,
  ),
  'Idempotent-Replayed': text(
    'Present if the answer is that of an earlier request with the same `Idempotency-Key`.',
    'true',
    false,
  ),
  'Content-Disposition': text('Only of files: their name.', 'attachment; filename="balances.csv"', false),
};

/** For answers that sometimes ask the client to wait. */
export const RETRY_AFTER_SOMETIMES: HeaderObject = {
  ...HEADERS['Retry-After']!,
  description: 'Seconds to wait, where that helps.',
  required: false,
};

export const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the answer you have; 304 means that it is still current.',
  schema: { type: 'string' },
};

export const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any unique text, such as a UUID. Sent again within 24 hours with the same body, the request is done once.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARS },
};

export const REQUEST_ID: ParameterObject = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: 'Your own id for this request: at most 100 letters, digits and `_.:/+=-`.',
  schema: { type: 'string', maxLength: 100 },
};
