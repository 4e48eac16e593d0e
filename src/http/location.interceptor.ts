import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';

/** The extension of an operation that keeps it until the document is completed. */
export const ACCEPTED_IN = 'x-accepted-in';

/** Answers 202 with a record of another list. */
export function AcceptedIn(list: string): MethodDecorator {
  return applyDecorators(HttpCode(202), SetMetadata(ACCEPTED_IN, list), ApiExtension(ACCEPTED_IN, list));
}

/**
 * Adds `Location` to the answer that a record was created: without it RFC 9110 (15.3.2) reads 201 as the creation of
 * the address that was asked, and after 202 nobody knows where to look for the outcome.
 */
@Injectable()
export class LocationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { path } = http.getRequest<Request>();
    const acceptedIn = Reflect.getMetadata(ACCEPTED_IN, context.getHandler()) as string | undefined;
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      tap((answer: { id?: string } | undefined) => {
        const list = response.statusCode === 201 ? path.replace(/\/$/, '') : acceptedIn;
        if (list && answer?.id) response.location(`${list}/${answer.id}`);
      }),
    );
  }
}
