import { setTimeout as wait } from 'node:timers/promises';
import { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import { isAxiosError } from 'axios';
import { catchError, defer, from, lastValueFrom, map, type Observable, retry, switchMap, throwError } from 'rxjs';
import { agents, type NetworkRules, PrivateAddressError } from './network-guard.js';
import { ProviderError } from './provider-error.js';
import { type RequestBudget, UNLIMITED } from './request-budget.js';
import { isPassingStatus, MAX_RETRIES, retryDelayMs, type Wait } from './retry.js';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const USER_AGENT = 'Tidemark/0.1 (self-hosted personal finance)';

export interface ProviderRequest {
  method: 'GET' | 'POST';
  /** Free of credentials; its query and path may still be secret and are never logged. */
  url: string;
  headers?: Record<string, string>;
  /** Of the whole exchange, body included. */
  timeoutMs: number;
  /** For a log line: "accounts", never an address. */
  what: string;
  signal: AbortSignal;
  /** GETs are retried and every attempt is counted here; without one there is one attempt. */
  budget?: RequestBudget;
}

export interface ProviderReply {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

/** A server's trouble worth another attempt; the reply is what comes out when the attempts are used up. */
class PassingStatus extends Error {
  constructor(readonly reply: ProviderReply) {
    super(`status ${reply.status}`);
  }
}

/** HTTP as both providers need it: bounded in time and size, never redirected, kept to the public internet. */
export class ProviderHttp {
  readonly #log = new Logger('ProviderHttp');
  readonly #agents: ReturnType<typeof agents>;

  constructor(
    private readonly http: HttpService,
    rules: NetworkRules,
    private readonly waitFor: Wait = (ms, signal) => wait(ms, undefined, { signal }),
    private readonly random: () => number = Math.random,
  ) {
    this.#agents = agents(rules);
  }

  /**
   * Sends a request. Network errors, timeouts and passing server errors of a GET are tried again up to three times.
   *
   * @returns any reply, whatever its status
   * @throws ProviderError `network` when none came
   */
  async send(request: ProviderRequest): Promise<ProviderReply> {
    const { budget } = request;
    const attempts = defer(() => from((budget ?? UNLIMITED).spend())).pipe(
      switchMap(() => this.#once(request, Boolean(budget))),
      retry({ count: budget ? MAX_RETRIES : 0, delay: (error, count) => this.#beforeRetry(request, error, count) }),
      catchError((error: unknown) => {
        if (error instanceof PassingStatus) return [error.reply];
        return throwError(() => error);
      }),
    );
    try {
      return await lastValueFrom(attempts);
    } catch (error) {
      request.signal.throwIfAborted();
      throw error instanceof ProviderError ? error : networkError(error, request);
    }
  }

  #once(request: ProviderRequest, retriesStatus: boolean): Observable<ProviderReply> {
    const { method, url, headers, timeoutMs } = request;
    const response = this.http.request<string>({
      ...{ method, url, ...this.#agents, proxy: false, maxRedirects: 0, validateStatus: () => true },
      headers: { 'User-Agent': USER_AGENT, ...(method === 'POST' ? { 'Content-Length': '0' } : {}), ...headers },
      ...{ responseType: 'text', transformResponse: (body: string) => body },
      ...{ maxContentLength: MAX_BODY_BYTES, maxBodyLength: MAX_BODY_BYTES },
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
    });
    return response.pipe(
      map((answer) => {
        const reply = {
          status: answer.status,
          headers: answer.headers as ProviderReply['headers'],
          body: answer.data ?? '',
        };
        if (retriesStatus && isPassingStatus(reply.status)) throw new PassingStatus(reply);
        return reply;
      }),
    );
  }

  async #beforeRetry({ what, signal }: ProviderRequest, error: unknown, retry: number): Promise<void> {
    const final = error instanceof ProviderError || isPrivateAddress(error) || signal.aborted;
    if (final) throw error;
    const delayMs = retryDelayMs(retry, this.random());
    this.#log.warn(
      `Asking for ${what} failed (${reasonOf(error)}); retry ${retry} of ${MAX_RETRIES} in ${Math.round(delayMs)} ms`,
    );
    await this.waitFor(delayMs, signal);
  }
}

function isPrivateAddress(error: unknown): boolean {
  return isAxiosError(error) && (error.code === 'EPRIVATE' || error.cause instanceof PrivateAddressError);
}

/** A code like ECONNRESET; never a message, which may hold the address. */
function reasonOf(error: unknown): string {
  if (error instanceof PassingStatus) return error.message;
  const { code, name } = error as { code?: string; name?: string };
  return code === 'ERR_CANCELED' ? 'timeout' : (code ?? name ?? 'unknown');
}

function networkError(error: unknown, { what, timeoutMs }: ProviderRequest): ProviderError {
  if (isPrivateAddress(error)) {
    return new ProviderError(
      'network',
      'The provider’s address leads to this machine or a private network and was not contacted.',
    );
  }
  if (/maxContentLength/.test(String((error as Error).message))) {
    return new ProviderError(
      'unexpected_reply',
      `The answer with ${what} is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB and was not read.`,
    );
  }
  const reason = reasonOf(error);
  const words = reason === 'timeout' ? `did not answer within ${timeoutMs / 1000} s` : `cannot be reached (${reason})`;
  return new ProviderError('network', `The provider ${words}. It will be tried again later.`);
}
