import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { VERSION } from '../../platform/config/version.js';
import { withAbortScope } from '../../platform/time/abort-scope.js';
import { Clock } from '../../platform/time/clock.js';
import { codeOf } from './network-failure.js';
import { agents, type NetworkRules, refusalOf } from './network-guard.js';
import { retryAfterSeconds } from './retry.js';

/** For the DNS lookup and the connection. */
const CONNECT_TIMEOUT_MS = 5_000;
/** For the whole exchange. */
const TIMEOUT_MS = 15_000;
/** How much of the answer is kept, for a person who looks for a mistake. */
const MAX_BODY_BYTES = 1_000;

/** What became of a message. */
export interface Exchange {
  /** `null`: there was no answer. */
  status: number | null;
  retryAfterSeconds: number | null;
  /** The beginning of the answer; `null`: there is none, or it is empty. */
  body: string | null;
  /** Why it failed, for a person; `null`: it was accepted with 2xx. */
  problem: string | null;
  durationMs: number;
}

interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Sends JSON to addresses that people have entered: bounded in time and size, never redirected, by no proxy, and only to the
 * public internet, as for providers.
 */
@Injectable()
export class PublicHttp {
  readonly #rules: NetworkRules;
  readonly #agents: ReturnType<typeof agents>;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.#rules = { allowedHosts: ['*'], allowPrivateNetwork: config.providerAllowPrivateNetwork };
    this.#agents = agents(this.#rules);
  }

  /** Why nothing is sent to an address, as words to put after its name; `null`: it may be. */
  refusalOf(url: URL): string | null {
    if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
    return refusalOf(url, this.#rules);
  }

  /** @throws the signal's reason when it was aborted; it may have arrived */
  async post(post: Post, signal: AbortSignal): Promise<Exchange> {
    const startedMs = performance.now();
    const failed = (problem: string): Omit<Exchange, 'durationMs'> => {
      return { status: null, retryAfterSeconds: null, body: null, problem };
    };
    const refusal = this.refusalOf(new URL(post.url));
    const exchange = refusal
      ? failed(`The address ${refusal} and was not contacted.`)
      : await withAbortScope({ signals: [signal], timeoutMs: TIMEOUT_MS, timeoutReason: timedOut }, (scope) =>
          this.#exchange(post, scope).catch((error: unknown) => {
            signal.throwIfAborted();
            return failed(problemOf(codeOf(scope.aborted ? scope.reason : error)));
          }),
        );
    return { ...exchange, durationMs: Math.round(performance.now() - startedMs) };
  }

  async #exchange({ url, headers, body }: Post, signal: AbortSignal): Promise<Omit<Exchange, 'durationMs'>> {
    const isSecure = new URL(url).protocol === 'https:';
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: isSecure ? this.#agents.httpsAgent : this.#agents.httpAgent,
      signal,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': `Tidemark/${VERSION}`,
        ...headers,
      },
    });
    limitConnecting(request, isSecure ? 'secureConnect' : 'connect');
    const answered = answerTo(request);
    request.end(body);
    const response = await answered;
    const status = response.statusCode!;
    return {
      status,
      retryAfterSeconds: retryAfterSeconds(response.headers['retry-after'], this.clock.now()),
      body: await beginningOf(response),
      problem: problemOfStatus(status),
    };
  }
}

function limitConnecting(request: ClientRequest, connected: 'connect' | 'secureConnect'): void {
  const timer = setTimeout(() => request.destroy(failureOf('ETIMEDOUT')), CONNECT_TIMEOUT_MS);
  request.once('socket', (socket) => socket.once(connected, () => clearTimeout(timer)));
  request.once('close', () => clearTimeout(timer));
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // `on` and not `once`, because a connection may also break after the answer has begun.
    request.on('error', reject);
    request.once('response', resolve);
    // Without a listener, Node.js drops an answer that switches to another protocol, and says nothing.
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(failureOf('EPROTO'));
    });
    // However the request ends, the wait for its answer ends, too.
    request.once('close', () => reject(failureOf('ECONNRESET')));
  });
}

/** An answer that breaks off counts by its status like any other. */
async function beginningOf(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if ((bytes += chunk.length) >= MAX_BODY_BYTES) break;
    }
  } catch {
    // Only what has arrived until then is kept.
  }
  response.destroy();
  const text = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8');
  // eslint-disable-next-line no-control-regex -- PostgreSQL stores no NUL, and nobody reads the others
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufffd]/g, '') || null;
}

function timedOut(): Error {
  return failureOf('timeout');
}

function failureOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function problemOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const advice =
    status >= 300 && status < 400 ? ' Redirects are not followed: enter the address that it leads to.' : '';
  return `It answered with status ${status}.${advice}`;
}

/** One sentence for names that lead inside and those that do not exist: which inner names exist is nobody's business. */
const NOT_FOUND = 'Its name was not found, or leads to this machine or a private network.';

function problemOf(code: string): string {
  if (code === 'timeout') return `It did not answer within ${TIMEOUT_MS / 1_000} s.`;
  if (code === 'EPRIVATE' || code === 'ENOTFOUND') return NOT_FOUND;
  return `It cannot be reached (${code}).`;
}
