import { html, type HttpReply, type Reply } from './reply.js';

/** A scenario of any provider. */
interface Fault {
  name: string;
  plays: string;
  instead?: (turn: { request: number }) => Reply | undefined;
  reply?: (reply: HttpReply) => HttpReply;
}

const ALWAYS = Infinity;

/** What can go wrong between client and server, whatever they speak; every one may pass by itself. */
export const TRANSPORT_FAULTS: readonly Fault[] = [
  fails('reset-once', 'The first request is cut off.', 'reset', 1),
  fails('reset-twice', 'The first two requests are cut off.', 'reset', 2),
  fails('reset-always', 'Every request is cut off.', 'reset'),
  fails('timeout-once', 'The first request is never answered.', 'silence', 1),
  fails('timeout-twice', 'The first two requests are never answered.', 'silence', 2),
  fails('timeout-always', 'No request is answered.', 'silence'),
  fails('error-502', 'Every request meets a gateway without a server.', html(502, 'Bad Gateway')),
  fails('error-503', 'Every request meets a server under maintenance.', html(503, 'Service Unavailable')),
  fails('error-503-once', 'Only the first request meets maintenance.', html(503, 'Service Unavailable'), 1),
  fails('error-504', 'Every request meets a gateway that gave up.', html(504, 'Gateway Timeout')),
  fails('html-reply', 'Every request gets 200 with a web page.', html(200, 'Back soon')),
  answers('truncated-reply', 'The JSON ends in the middle.', (body) => body.slice(0, body.length / 2)),
  answers('empty-reply', 'Every request gets 200 with nothing.', () => ''),
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

/** @param times how many requests fail */
export function fails(name: string, plays: string, fault: Reply, times = ALWAYS): Fault {
  return { name, plays, instead: ({ request }) => (request <= times ? fault : undefined) };
}

export function answers(name: string, plays: string, edit: (body: string) => string): Fault {
  return { name, plays, reply: (reply) => ({ ...reply, body: edit(reply.body) }) };
}
