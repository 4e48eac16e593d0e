import { type CallHandler, type ExecutionContext, Injectable, Module, type NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { type Observable, tap } from 'rxjs';
import { ApiError, defineModule, DomainError } from '../../../src/kit.js';

/** The client of the tracker, as its library gives it. */
export const tracker = { captureException: (error: unknown): void => console.error(error) };

@Injectable()
class ReportErrors implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap({
        error: (error: unknown) => {
          if (!(error instanceof DomainError || error instanceof ApiError)) tracker.captureException(error);
        },
      }),
    );
  }
}

@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: ReportErrors }] })
class ErrorTrackerModule {}

export const errorTracker = defineModule({ name: 'error-tracker', needs: '^1.0', module: ErrorTrackerModule });
