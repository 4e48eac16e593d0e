import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';

/**
 * Adds `Location` to the answer that a record was created: without it RFC 9110 (15.3.2) reads 201 as the creation of
 * the address that was asked.
 */
@Injectable()
export class LocationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { path } = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      tap((answer: { id?: string } | undefined) => {
        if (response.statusCode === 201 && answer?.id) response.location(`${path.replace(/\/$/, '')}/${answer.id}`);
      }),
    );
  }
}
