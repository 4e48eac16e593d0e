import { createHash } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { type Caller, callerOf } from '../caller.js';
import { fileOf } from '../input/upload.js';
import { validationFailed } from '../../platform/domain-error.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';

/** The extension of an operation whose route takes an `Idempotency-Key`, until the document is completed. */
export const TAKES_IDEMPOTENCY_KEY = 'x-takes-idempotency-key';

/** For a route that is executed once for each `Idempotency-Key`, if it is a POST or PUT. */
export function TakesIdempotencyKey(): MethodDecorator {
  return applyDecorators(UseInterceptors(IdempotencyInterceptor), ApiExtension(TAKES_IDEMPOTENCY_KEY, true));
}

/** A PUT may carry a secret that can be used once only, so that doing it twice is not the same as doing it once. */
export const KEYED_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT']);

export const MAX_IDEMPOTENCY_KEY_CHARS = 255;

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARS}}$`);

/** Executes a POST or PUT with an `Idempotency-Key` once, and repeats its first answer. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly keys: IdempotencyKeysService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const header = KEYED_METHODS.has(request.method) ? request.get('idempotency-key') : undefined;
    return header === undefined ? next.handle() : this.#once(header, request, http.getResponse<Response>(), next);
  }

  async #once(header: string, request: Request, response: Response, next: CallHandler): Promise<Observable<unknown>> {
    const caller = callerOf(request);
    const keyed = { userId: caller.userId, owner: ownerOf(caller), key: parseKey(header), digest: digestOf(request) };
    const { answer, isReplayed } = await this.keys.once(keyed, async () => {
      const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      return { status: response.statusCode, body };
    });
    if (isReplayed) response.status(answer.status).set('Idempotent-Replayed', 'true');
    return of(answer.body);
  }
}

/** Plain, or quoted as in the draft standard of the header. */
function parseKey(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (KEY.test(key)) return key;
  throw validationFailed([`Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} visible ASCII characters`]);
}

/** An API key that is limited to accounts neither sees the keys of others, nor takes them, nor their room. */
function ownerOf({ accountIds, apiKeyId }: Caller): string | null {
  return accountIds === null ? null : apiKeyId;
}

function digestOf(request: Request): string {
  const { method, originalUrl } = request;
  const bytes: unknown = request.body;
  const content = Buffer.isBuffer(bytes) || typeof bytes === 'string' ? bytes : JSON.stringify(bytes ?? null);
  return createHash('sha256')
    .update(`${callerOf(request).apiKeyId} ${method} ${originalUrl}\n`)
    .update(content)
    .update(fileOf(request)?.bytes ?? '')
    .digest('base64url');
}
