import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Observable } from 'rxjs';
import { isApiRequest } from './api-path.js';

const MAX_BODY = '100kb';

/** What a client sends with these has no meaning (RFC 9110) and is not read. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Reads the JSON body of an API request. It runs after the guards, so that nobody without a valid key makes the service
 * read or parse anything, and 401, 429 and 403 come before a complaint about the body.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  readonly #parse: RequestHandler = express.json({ limit: MAX_BODY });

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (BODYLESS.has(request.method) || !isApiRequest(request)) return next.handle();
    return this.#read(request, http.getResponse<Response>()).then(() => next.handle());
  }

  #read(request: Request, response: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.#parse(request, response, (error?: unknown) => (error instanceof Error ? reject(error) : resolve()));
    });
  }
}
