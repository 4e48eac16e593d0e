import { html, json, plain } from '../../reply.js';
import { forbidden } from '../forbidden.js';
import type { Scenario, Turn } from '../scenario.js';

const UNPAID = 'Subscription payment is due.';

/** Requests that are turned away: by the provider for good, or by what stands before it for a while. */
export const REFUSALS: readonly Scenario[] = [
  { name: 'revoked', plays: 'The access was revoked.', instead: ({ query }) => forbidden(query.version) },
  {
    name: 'revoked-later',
    plays: 'The first sync works; then the access is revoked.',
    instead: ({ visit, query }) => (visit > 1 ? forbidden(query.version) : undefined),
  },
  { name: 'payment-required', plays: "The person's subscription at the provider lapsed.", instead: unpaid },
  {
    name: 'cdn-403',
    plays: 'The content network before the provider shows a 403 page: temporary.',
    instead: () => html(403, 'Attention Required!', '<p>Sorry, you have been blocked</p>'),
  },
  {
    name: 'cdn-403-text',
    plays: 'The content network refuses the client with a short text: temporary.',
    instead: () => plain('error code: 1010', 403),
  },
  {
    name: 'cdn-429',
    plays: 'The content network shows a 429 page: temporary.',
    instead: () => html(429, 'Too Many Requests'),
  },
  quota('quota', 24, 48),
  quota('quota-tight', 4, 8),
];

function unpaid({ query }: Turn) {
  if (query.version === 1) return json({ errors: [UNPAID], accounts: [] }, 402);
  return json({ errlist: [{ code: 'gen.', msg: UNPAID }], accounts: [], connections: [] }, 402);
}

/** The allowance of a day; who goes far beyond it is shut out until a new setup token. */
function quota(name: string, usual: number, most: number): Scenario {
  const warning = `More than ${usual} requests today. Access will be disabled if this continues.`;
  return {
    name,
    plays: `Warns beyond ${usual} requests a day; beyond ${most} the access is disabled for good.`,
    instead: ({ busiestDay, query }) => (busiestDay > most ? forbidden(query.version) : undefined),
    body: (set, { requestsToday }) => {
      if (requestsToday <= usual) return set;
      const errors = [...(set.errors ?? []), warning];
      return set.errlist
        ? { ...set, errors, errlist: [...set.errlist, { code: 'gen.api', msg: warning }] }
        : { ...set, errors };
    },
  };
}
