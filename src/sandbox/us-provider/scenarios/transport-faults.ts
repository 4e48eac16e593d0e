import { html, type HttpReply, type Reply } from '../../reply.js';
import type { Scenario } from '../scenario.js';

const ALWAYS = Infinity;

/** What can go wrong between client and server; every one may pass by itself. */
export const TRANSPORT_FAULTS: readonly Scenario[] = [
  fails('reset-once', 'The first request is cut off.', 1, 'reset'),
  fails('reset-twice', 'The first two requests are cut off.', 2, 'reset'),
  fails('reset-always', 'Every request is cut off.', ALWAYS, 'reset'),
  fails('timeout-once', 'The first request is never answered.', 1, 'silence'),
  fails('timeout-twice', 'The first two requests are never answered.', 2, 'silence'),
  fails('timeout-always', 'No request is answered.', ALWAYS, 'silence'),
  fails('error-500', 'Every request meets an error page.', ALWAYS, html(500, 'Internal Server Error')),
  fails('error-502', 'Every request meets a gateway without a server.', ALWAYS, html(502, 'Bad Gateway')),
  fails('error-503', 'Every request meets a server under maintenance.', ALWAYS, html(503, 'Service Unavailable')),
  fails('error-503-once', 'Only the first request meets maintenance.', 1, html(503, 'Service Unavailable')),
  fails('html-reply', 'Every request gets 200 with a web page.', ALWAYS, html(200, 'Back soon')),
  answers('truncated-reply', 'The JSON ends in the middle.', (body) => body.slice(0, body.length / 2)),
  answers('empty-reply', 'Every request gets 200 with nothing.', () => ''),
  {
    name: 'answer-too-large',
    plays: 'The answer announces a gibibyte.',
    reply: (reply) => ({ ...reply, announcedBytes: 2 ** 30 }),
  },
  {
    name: 'slow-drip',
    plays: 'The answer drips in for five seconds.',
    reply: (reply) => ({ ...reply, drip: { pieces: 20, pauseMs: 250 } }),
  },
];

function fails(name: string, plays: string, times: number, fault: Reply): Scenario {
  return { name, plays, instead: ({ request }) => (request <= times ? fault : undefined) };
}

function answers(name: string, plays: string, edit: (body: string) => string): Scenario {
  return { name, plays, reply: (reply): HttpReply => ({ ...reply, body: edit(reply.body) }) };
}
