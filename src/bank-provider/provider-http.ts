import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import { AxiosError, type AxiosResponse, isAxiosError } from 'axios';
import { catchError, defer, firstValueFrom, of, retry, switchMap } from 'rxjs';
import { withAbortScope } from '../time/abort-scope.js';
import { JsonInParts, type PartlyParsed } from './json-in-parts.js';
import { NoTracing, type SpanOptions, type TracingService } from '../observability/tracing/tracing.service.js';
import { codeOf, networkError, NotSentError } from './network-failure.js';
import { agents, type NetworkRules, refusalOf } from './network-guard.js';
import { ProviderError } from './provider-error.js';
import type { RequestBudget } from './request-budget.js';
import { isPassingError, isPassingStatus, MAX_RETRIES, retryAfterSeconds, retryDelayMs, type Wait } from './retry.js';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const USER_AGENT = 'Tidemark/0.1 (self-hosted personal finance)';

export interface ProviderRequest {
  /** A POST is never tried again. */
  method: 'GET' | 'POST';
  /** Whether a GET is tried again after passing trouble; by default it is. */
  retries?: boolean;
  /** Whether a 429 that asks for a short wait is waited out, too; by default it is not. */
  waitsOutLimit?: boolean;
  /** Free of credentials; its query and path may still be secret and are never logged. */
  url: string;
  headers?: Record<string, string>;
  /** Of one attempt, from the look-up of the name to the last byte of the body. */
  timeoutMs: number;
  /** For a log line: "accounts", never an address. */
  what: string;
  signal: AbortSignal;
  /** The name of the lists in the answer whose elements are parsed while it arrives; by default there are none. */
  parsedList?: string;
  /** Every attempt is counted here before it is made. */
  budget: RequestBudget;
  /** Sees every reply, also those that are followed by another attempt. */
  onReply?: (reply: ProviderReply) => void;
}

export interface ProviderReply extends PartlyParsed {
  status: number;
  /** What a `Retry-After` header asks for. */
  retryAfterSeconds: number | null;
}

export interface ProviderHttpOptions {
  rules: NetworkRules;
  now: () => Date;
  wait?: Wait;
  /** Aborts when so many milliseconds have passed; by default a timer decides. */
  deadline?: (ms: number) => AbortSignal;
  /** From 0 to 1. */
  random?: () => number;
  tracing?: TracingService;
}

type Options = ProviderHttpOptions & Required<Omit<ProviderHttpOptions, 'deadline'>>;

const BY_DEFAULT: Pick<Options, 'wait' | 'random' | 'tracing'> = {
  wait: (ms, signal) => wait(ms, undefined, { signal }),
  random: Math.random,
  tracing: new NoTracing(),
};

/** A server's trouble worth another attempt; the reply is what comes out when the attempts are used up. */
class PassingTrouble extends Error {
  constructor(readonly reply: ProviderReply) {
    super();
  }
}

/** HTTP as providers need it: bounded in time and size, never redirected, kept to the allowed part of the internet. */
export class ProviderHttp {
  readonly #log = new Logger('ProviderHttp');
  readonly #agents: ReturnType<typeof agents>;
  readonly #options: Options;

  constructor(
    private readonly http: HttpService,
    options: ProviderHttpOptions,
  ) {
    this.#options = { ...BY_DEFAULT, ...options };
    this.#agents = agents(options.rules);
  }

  /**
   * Sends a request. A GET that meets network errors, timeouts or passing server errors is tried again up to three times.
   *
   * @returns any reply, whatever its status
   * @throws ProviderError `network` when none came, `answer_too_large` for more than 64 MiB, and what the budget throws;
   * the signal's reason when it was aborted
   */
  async send(request: ProviderRequest): Promise<ProviderReply> {
    const refusal = refusalOf(new URL(request.url), this.#options.rules);
    if (refusal) throw new NotSentError('network', `The provider’s address ${refusal} and was not contacted.`);
    request.signal.throwIfAborted();
    const attempts = defer(() => request.budget.spend()).pipe(
      switchMap(() => this.#attempt(request)),
      retry({
        count: request.method === 'GET' && request.retries !== false ? MAX_RETRIES : 0,
        delay: (error, count) => this.#beforeRetry(request, error, count),
      }),
      catchError((error: unknown) => of(this.#replyAtLast(request, error))),
    );
    const attributes = { 'server.address': new URL(request.url).hostname };
    const span: SpanOptions = { name: `provider: ${request.what}`, kind: 'client', attributes };
    return this.#options.tracing.trace(span, () => firstValueFrom(attempts));
  }

  #attempt(request: ProviderRequest): Promise<ProviderReply> {
    const { signal, timeoutMs } = request;
    const { deadline } = this.#options;
    const scope = deadline ? { signals: [signal, deadline(timeoutMs)] } : { signals: [signal], timeoutMs };
    return withAbortScope(scope, (signal) => this.#exchange(request, signal));
  }

  /** One request and its whole answer. */
  async #exchange(request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply> {
    const { method, url, headers } = request;
    const response = await firstValueFrom(
      this.http.request<Readable>({
        method,
        url,
        ...this.#agents,
        signal,
        headers: { 'User-Agent': USER_AGENT, ...(method === 'POST' ? { 'Content-Length': '0' } : {}), ...headers },
        proxy: false,
        maxRedirects: 0,
        validateStatus: () => true,
        responseType: 'stream',
      }),
    );
    const retryAfter = (response.headers as Record<string, string | undefined>)['retry-after'];
    const asked = retryAfterSeconds(retryAfter, this.#options.now());
    const body = await readBody(response, request.parsedList);
    const reply = { status: response.status, retryAfterSeconds: asked, ...body };
    request.onReply?.(reply);
    if (isPassingStatus(reply.status) || isShortLimit(request, reply)) throw new PassingTrouble(reply);
    return reply;
  }

  async #beforeRetry({ what, signal }: ProviderRequest, error: unknown, retry: number): Promise<void> {
    const delayMs = retryDelayMs(retry, this.#options.random(), askedBy(error));
    if (delayMs === null || signal.aborted || !isPassing(error)) throw error;
    const seconds = (delayMs / 1000).toFixed(1);
    this.#log.warn(`Asking for ${what} failed (${reasonOf(error)}); retry ${retry} of ${MAX_RETRIES} in ${seconds} s`);
    await this.#options.wait(delayMs, signal);
  }

  #replyAtLast({ what, signal, timeoutMs }: ProviderRequest, error: unknown): ProviderReply {
    signal.throwIfAborted();
    // Of the budget, or our own fault: nothing that the network did.
    if (!(error instanceof PassingTrouble) && !isAxiosError(error)) throw error;
    this.#log.warn(`Asking for ${what} failed (${reasonOf(error)}); given up`);
    if (error instanceof PassingTrouble) return error.reply;
    throw networkError(codeOf(error), timeoutMs);
  }
}

/**
 * Counts the bytes itself: an answer that is too large stays so, and must not look like a connection that broke.
 *
 * @throws ProviderError `answer_too_large` before it reads more than that; AxiosError like every other failure of a request
 */
async function readBody({ data, headers, config }: AxiosResponse<Readable>, parsedList: string | null = null) {
  const body = new JsonInParts(parsedList);
  let bytes = 0;
  try {
    // Compressed it is smaller than what comes of it.
    refuseLarger(Number((headers as Record<string, string | undefined>)['content-length'] ?? 0));
    for await (const chunk of data as AsyncIterable<Buffer>) {
      refuseLarger((bytes += chunk.length));
      body.add(chunk);
    }
  } catch (error) {
    data.destroy();
    throw isAxiosError(error) || error instanceof ProviderError ? error : AxiosError.from(error, undefined, config);
  }
  return body.end();
}

function refuseLarger(bytes: number): void {
  if (bytes <= MAX_BODY_BYTES) return;
  const limit = `${MAX_BODY_BYTES / 2 ** 20} MiB`;
  throw new ProviderError('answer_too_large', `The provider’s answer is larger than the ${limit} that are read.`);
}

function isShortLimit({ waitsOutLimit = false }: ProviderRequest, { status, ...reply }: ProviderReply): boolean {
  return waitsOutLimit && status === 429 && reply.retryAfterSeconds !== null;
}

function isPassing(error: unknown): boolean {
  return error instanceof PassingTrouble || (isAxiosError(error) && isPassingError(codeOf(error)));
}

function askedBy(error: unknown): number | null {
  return error instanceof PassingTrouble ? error.reply.retryAfterSeconds : null;
}

function reasonOf(error: unknown): string {
  return error instanceof PassingTrouble ? `status ${error.reply.status}` : codeOf(error);
}
