import { json, type HttpReply } from '../../reply.js';
import { answers, fails } from '../../transport-faults.js';
import { refusal } from '../refusal.js';
import type { Scenario, Turn } from '../scenario.js';

/** What can go wrong between client and server, besides what can with every provider. */
export const OWN_TRANSPORT_FAULTS: readonly Scenario[] = [
  fails('error-500', 'Every request meets an error of the server.', internalError()),
  {
    name: 'account-error',
    plays: 'Every call about one account meets an error of the server; the others are well.',
    instead: ({ account }) => (account === 0 ? internalError() : undefined),
  },
  {
    name: 'balance-error-later',
    plays: 'The first sync works; then no balance can be had.',
    instead: ({ call, visit }) => (call === 'balance' && visit > 1 ? internalError() : undefined),
  },
  redirects('redirect-308', 'The bare host sends every request to the host that answers.', 308, ({ target }) => target),
  redirects('redirect-302', 'Every request is sent to a foreign host.', 302, () => '/elsewhere'),
  answers('bare-reply', 'Lists and balances come bare, without the object around them.', (body) =>
    JSON.stringify(Object.values(JSON.parse(body) as object)[0]),
  ),
];

/** The other host is this server under its other name, where it can be seen whether somebody followed. */
function redirects(name: string, plays: string, status: number, to: (turn: Turn) => string): Scenario {
  return {
    name,
    plays,
    instead: (turn) => {
      const url = new URL(turn.origin);
      url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
      const location = `${url.origin}/sandbox/global${to(turn)}`;
      return { ...json({ redirect: location, status }, status), headers: { Location: location } };
    },
  };
}

function internalError(): HttpReply {
  return refusal(500, 'Internal Server Error', 'Failed while reading the account.');
}
