import type { INestApplication } from '@nestjs/common';

export interface SpanOptions {
  name: string;
  /** `client`: this instance waits for another service. */
  kind?: 'internal' | 'client';
  attributes?: Readonly<Record<string, string | number>>;
}

/** Records what takes how long, for OpenTelemetry. Injectable by its class; without a collector it does nothing. */
export abstract class TracingService {
  /** Runs `work` in a span; spans that it opens are inside. */
  abstract trace<T>(span: SpanOptions, work: () => Promise<T>): Promise<T>;

  /** Gives every request that the application serves a span. */
  abstract traceRequests(app: Pick<INestApplication, 'use'>): void;
}

export class NoTracing extends TracingService {
  override trace<T>(_span: SpanOptions, work: () => Promise<T>): Promise<T> {
    return work();
  }

  override traceRequests(): void {}
}
