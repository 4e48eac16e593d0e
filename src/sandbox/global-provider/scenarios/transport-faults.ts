import { html, json, type HttpReply, type Reply } from '../../reply.js';
import { refusal } from '../refusal.js';
import type { Scenario, Turn } from '../scenario.js';

const ALWAYS = Infinity;

/** What can go wrong between client and server. */
export const TRANSPORT_FAULTS: readonly Scenario[] = [
  fails('reset-once', 'The first request is cut off.', 1, 'reset'),
  fails('reset-twice', 'The first two requests are cut off.', 2, 'reset'),
  fails('reset-always', 'Every request is cut off.', ALWAYS, 'reset'),
  fails('timeout-once', 'The first request is never answered.', 1, 'silence'),
  fails('timeout-always', 'No request is answered.', ALWAYS, 'silence'),
  fails('error-500', 'Every request meets an error of the server.', ALWAYS, internalError()),
  fails('error-502', 'Every request meets a gateway without a server.', ALWAYS, html(502, 'Bad Gateway')),
  fails('error-503', 'Every request meets a server under maintenance.', ALWAYS, html(503, 'Service Unavailable')),
  fails('error-503-once', 'Only the first request meets maintenance.', 1, html(503, 'Service Unavailable')),
  fails('error-504', 'Every request meets a gateway that gave up.', ALWAYS, html(504, 'Gateway Timeout')),
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
  fails('html-reply', 'Every request gets 200 with a web page.', ALWAYS, html(200, 'Back soon')),
  answers('truncated-reply', 'The JSON ends in the middle.', (body) => body.slice(0, body.length / 2)),
  answers('empty-reply', 'Every request gets 200 with nothing.', () => ''),
  answers('bare-reply', 'Lists and balances come bare, without the object around them.', (body) =>
    JSON.stringify(Object.values(JSON.parse(body) as object)[0]),
  ),
  {
    name: 'answer-too-large',
    plays: 'Every answer announces a gibibyte.',
    reply: (reply) => ({ ...reply, announcedBytes: 2 ** 30 }),
  },
  {
    name: 'slow-drip',
    plays: 'Every answer drips in for five seconds.',
    reply: (reply) => ({ ...reply, drip: { pieces: 20, pauseMs: 250 } }),
  },
];

function fails(name: string, plays: string, times: number, fault: Reply): Scenario {
  return { name, plays, instead: ({ request }) => (request <= times ? fault : undefined) };
}

function answers(name: string, plays: string, edit: (body: string) => string): Scenario {
  return { name, plays, reply: (reply): HttpReply => ({ ...reply, body: edit(reply.body) }) };
}

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
