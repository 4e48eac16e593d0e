import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import { AxiosError, type AxiosResponse, isAxiosError } from 'axios';
import { firstValueFrom } from 'rxjs';
import { VERSION } from '../../platform/config/version.js';
import { unlessAborted } from '../../platform/time/abort-scope.js';
import { NoTracing, type SpanOptions, type TracingService } from '../../platform/tracing/tracing.service.js';
import { codeOf, isTransientError, networkError, NotSentError } from './network-failure.js';
import { agents, type NetworkRules, refusalOf } from './network-guard.js';
import { ProviderError } from '../provider-error.js';
import type { RequestBudget } from '../bank-provider.js';
import { isTransientStatus, MAX_RETRIES, retryAfterSeconds, retryDelayMs, type Wait } from './retry.js';

/** As a whole it is in memory three times while it is parsed. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const USER_AGENT = `Tidemark/${VERSION} (self-hosted personal finance)`;

/** On whose behalf requests are made. */
export interface RequestContext {
  /** Counts every attempt before it is made. */
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface ProviderRequest extends RequestContext {
  /** A POST is never retried. */
  method: 'GET' | 'POST';
  /** Whether a GET is retried after a transient error. Default: yes. */
  retries?: boolean;
  /** Whether a 429 with a short `Retry-After` is retried. Default: no. */
  waitsOutLimit?: boolean;
  /** Without credentials. Its path and query may still be secret and are never logged. */
  url: string;
  headers?: Record<string, string>;
  /** The body of a POST; absent: none. */
  json?: object;
  /** Of one attempt, from the DNS lookup to the last byte of the body. */
  timeoutMs: number;
  /** For a log line: "accounts", never an address. */
  what: string;
  /** Gets every reply, also those that are retried. */
  onReply?: (reply: ProviderReply) => void;
}

export interface ProviderReply {
  status: number;
  /** From the `Retry-After` header; `null`: there is none. */
  retryAfterSeconds: number | null;
  body: string;
}

interface ProviderHttpOptions {
  rules: NetworkRules;
  now: () => Date;
  wait?: Wait;
  /** Makes a signal that aborts after so many milliseconds. */
  deadline?: (ms: number) => AbortSignal;
  /** From 0 to 1. */
  random?: () => number;
  tracing?: TracingService;
}

const BY_DEFAULT = {
  wait: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
  deadline: (ms: number) => AbortSignal.timeout(ms),
  random: Math.random,
  tracing: new NoTracing(),
};

/** A server error that may be transient. Its reply is returned when the attempts are used up. */
class TransientError extends Error {
  constructor(readonly reply: ProviderReply) {
    super();
  }
}

/** HTTP for providers: limited in time and size, without redirects, only to allowed hosts. */
export class ProviderHttp {
  readonly #log = new Logger('ProviderHttp');
  readonly #agents: ReturnType<typeof agents>;
  readonly #options: Required<ProviderHttpOptions>;

  constructor(
    private readonly http: HttpService,
    options: ProviderHttpOptions,
  ) {
    this.#options = { ...BY_DEFAULT, ...options };
    this.#agents = agents(options.rules);
  }

  /**
   * Sends a request. A GET is retried up to three times after network errors, timeouts and transient server errors.
   *
   * @returns any reply, whatever its status
   * @throws ProviderError `network` without a reply, `answer_too_large` for more than 16 MiB; what the budget throws;
   * the signal's reason when it was aborted
   */
  async send(request: ProviderRequest): Promise<ProviderReply> {
    const refusal = refusalOf(new URL(request.url), this.#options.rules);
    if (refusal) throw new NotSentError('network', `The provider’s address ${refusal} and was not contacted.`);
    request.signal.throwIfAborted();
    const attributes = { 'server.address': new URL(request.url).hostname };
    const span: SpanOptions = { name: `provider: ${request.what}`, kind: 'client', attributes };
    return this.#options.tracing.trace(span, () => this.#attempts(request));
  }

  async #attempts(request: ProviderRequest): Promise<ProviderReply> {
    const { method, retries = true, what, signal } = request;
    const maxRetries = method === 'GET' && retries ? MAX_RETRIES : 0;
    for (let retry = 1; ; retry++) {
      try {
        await request.budget.spend();
        return await this.#attempt(request);
      } catch (error) {
        signal.throwIfAborted();
        const delayMs = retryDelayMs(retry, this.#options.random(), askedBy(error));
        if (retry > maxRetries || delayMs === null || !isTransient(error)) return this.#lastReply(request, error);
        const seconds = (delayMs / 1000).toFixed(1);
        this.#log.warn(
          `Request for ${what} failed (${reasonOf(error)}); retry ${retry} of ${MAX_RETRIES} in ${seconds} s`,
        );
        await unlessAborted(signal, this.#options.wait(delayMs, signal));
      }
    }
  }

  /** One request and its whole answer. */
  async #attempt(request: ProviderRequest): Promise<ProviderReply> {
    const { method, url, headers, json, timeoutMs } = request;
    const signal = AbortSignal.any([request.signal, this.#options.deadline(timeoutMs)]);
    const response = await firstValueFrom(
      this.http.request<Readable>({
        method,
        url,
        ...this.#agents,
        signal,
        ...(json && { data: JSON.stringify(json) }),
        headers: { 'User-Agent': USER_AGENT, ...headersOfBody(method, json), ...headers },
        proxy: false,
        maxRedirects: 0,
        validateStatus: () => true,
        responseType: 'stream',
      }),
    );
    const retryAfter = (response.headers as Record<string, string | undefined>)['retry-after'];
    const asked = retryAfterSeconds(retryAfter, this.#options.now());
    const reply = { status: response.status, retryAfterSeconds: asked, body: await readBody(response) };
    request.onReply?.(reply);
    if (isTransientStatus(reply.status) || isShortLimit(request, reply)) throw new TransientError(reply);
    return reply;
  }

  #lastReply({ what, timeoutMs }: ProviderRequest, error: unknown): ProviderReply {
    // An error of the budget or of our own, not of the network.
    if (!(error instanceof TransientError) && !isAxiosError(error)) throw error;
    this.#log.warn(`Request for ${what} failed (${reasonOf(error)}); no retries left`);
    if (error instanceof TransientError) return error.reply;
    throw networkError(codeOf(error), timeoutMs);
  }
}

function headersOfBody(method: ProviderRequest['method'], json: object | undefined): Record<string, string> {
  if (json) return { 'Content-Type': 'application/json' };
  return method === 'POST' ? { 'Content-Length': '0' } : {};
}

/**
 * Reads the body and counts its bytes, because axios would report an answer that is too large as a broken connection.
 *
 * @throws ProviderError `answer_too_large`; AxiosError for every other failure
 */
async function readBody({ data, headers, config }: AxiosResponse<Readable>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The header counts compressed bytes, which are fewer.
    refuseLarger(Number((headers as Record<string, string | undefined>)['content-length'] ?? 0));
    for await (const chunk of data as AsyncIterable<Buffer>) {
      refuseLarger((bytes += chunk.length));
      chunks.push(chunk);
    }
  } catch (error) {
    data.destroy();
    throw isAxiosError(error) || error instanceof ProviderError ? error : AxiosError.from(error, undefined, config);
  }
  // It leaves out a byte order mark.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function refuseLarger(bytes: number): void {
  if (bytes <= MAX_BODY_BYTES) return;
  const limit = `${MAX_BODY_BYTES / 2 ** 20} MiB`;
  throw new ProviderError('answer_too_large', `The provider’s answer is larger than the limit of ${limit}.`);
}

function isShortLimit({ waitsOutLimit = false }: ProviderRequest, { status, ...reply }: ProviderReply): boolean {
  return waitsOutLimit && status === 429 && reply.retryAfterSeconds !== null;
}

function isTransient(error: unknown): boolean {
  return error instanceof TransientError || (isAxiosError(error) && isTransientError(codeOf(error)));
}

function askedBy(error: unknown): number | null {
  return error instanceof TransientError ? error.reply.retryAfterSeconds : null;
}

function reasonOf(error: unknown): string {
  return error instanceof TransientError ? `status ${error.reply.status}` : codeOf(error);
}
