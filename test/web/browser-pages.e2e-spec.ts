import { ANYBODY, describePages } from './browser/every-page.js';
import { LOOKS } from './browser/looks.js';
import { TIER } from '../support/tier.js';

/** Each page once, without its other states. */
const ONCE = new Set([
  ...['overview', 'account-opened', 'account-refused', 'account-balances', 'day', 'reconciliation'],
  ...[
    'transactions',
    'transaction',
    'overview-theme-dark',
    'connections',
    'connection',
    'key-created',
    'keys',
    'settings',
    'activity',
  ],
  ...['second-factor-off', 'webhooks', 'webhook', 'failure', 'sign-in-refused', 'sign-up', 'nowhere'],
  ...['welcome', 'connect'],
]);

// `npm run test:all` looks at every state, `npm run test:long` at everybody's, light and dark, wide and narrow.
const people = ANYBODY.map(([who, scenes, enter]): (typeof ANYBODY)[number] => [
  who,
  TIER === 'test' ? Object.fromEntries(Object.entries(scenes).filter(([name]) => ONCE.has(name))) : scenes,
  enter,
]);

describePages(people, LOOKS.slice(0, 1));
