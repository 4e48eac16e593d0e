import { html } from '../../reply.js';
import { NO_SUCH_ACCOUNT, refusal, WRONG_KEY } from '../refusal.js';
import type { Scenario } from '../scenario.js';

const HOUR_SECONDS = 3600;

/** Requests that are turned away. */
export const REFUSALS: readonly Scenario[] = [
  {
    name: 'unauthorized',
    plays: 'The key is answered with 401.',
    instead: () => refusal(401, 'Unauthorized', 'This key is not accepted.'),
  },
  { name: 'forbidden', plays: 'The key is answered with 403.', instead: () => WRONG_KEY },
  {
    name: 'revoked-later',
    plays: 'The first sync works; then the key is answered with 403.',
    instead: ({ visit }) => (visit > 1 ? WRONG_KEY : undefined),
  },
  {
    name: 'subscription-lapsed',
    plays: "403, since the person's subscription at the provider lapsed.",
    instead: () => refusal(403, 'Forbidden', 'No active subscription.'),
  },
  {
    name: 'account-forbidden',
    plays: 'Every call about one account is answered with 403; the others are well.',
    instead: ({ account }) => (account === 0 ? WRONG_KEY : undefined),
  },
  {
    name: 'account-not-found',
    plays: 'One account is listed and not found by its own calls.',
    instead: ({ account }) => (account === 0 ? NO_SUCH_ACCOUNT : undefined),
  },
  {
    name: 'bad-request',
    plays: 'Every call for transactions is answered with 400.',
    instead: ({ call }) => (call === 'transactions' ? refusal(400, 'Bad Request', 'Malformed request.') : undefined),
  },
  {
    name: 'slow-down-briefly',
    plays: 'The second request gets 429 with a Retry-After of one second.',
    instead: ({ request }) => (request === 2 ? slowDown(1) : undefined),
  },
  {
    name: 'slow-down-long',
    plays: 'From the fourth request on the client gets 429 with a Retry-After of an hour.',
    instead: ({ request }) => (request > 3 ? slowDown(HOUR_SECONDS) : undefined),
  },
  {
    name: 'slow-down-at-once',
    plays: 'Every request gets 429 with a Retry-After of an hour.',
    instead: () => slowDown(HOUR_SECONDS),
  },
  {
    name: 'slow-down',
    plays: 'Every request gets 429 without a Retry-After.',
    instead: () => slowDown(null),
  },
  {
    name: 'cdn-403',
    plays: 'What stands before the provider shows a 403 page: temporary.',
    instead: () => html(403, 'Attention Required!'),
  },
];

function slowDown(seconds: number | null) {
  const headers = seconds === null ? undefined : { 'Retry-After': String(seconds) };
  return refusal(429, 'Too Many Requests', 'Slow down.', headers);
}
