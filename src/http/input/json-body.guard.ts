import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';
import { limitSlowBodies } from './slow-bodies.js';

const MAX_BODY = '100kb';

/** All routes share it. */
const SLOW_BODIES = new ConcurrencyLimiter('unfinished bodies', { perCaller: { key: 20 }, perInstance: 200 });

/** What a client sends with these has no meaning (RFC 9110) and is not read. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Reads the JSON body of an API request, and lets in who sent a sound one. It comes after the key's guard, so that nobody
 * without a valid key makes the service read or parse anything, and 401, 429 and 403 come before a complaint about the
 * body.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  readonly #parse: RequestHandler = limitSlowBodies(express.json({ limit: MAX_BODY }), SLOW_BODIES, (request) => ({
    key: request.get('x-api-key') ?? '',
  }));

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    return BODYLESS.has(request.method) || this.#read(request, http.getResponse<Response>());
  }

  #read(request: Request, response: Response): Promise<true> {
    return new Promise((resolve, reject) => {
      void this.#parse(request, response, (error?: unknown) =>
        error instanceof Error ? reject(error) : resolve(true),
      );
    });
  }
}
