import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type INestApplication, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { NextFunction, Request, Response } from 'express';
import { VERSION } from '../config/version.js';
import { INSTANCE } from '../logging/logger.js';
import { routeOf } from '../metrics/metrics.service.js';
import { type SpanOptions, TracingService } from './tracing.service.js';

/** How long a stop waits for the collector. */
const SHUTDOWN_TIMEOUT_MS = 2_000;

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/**
 * Sends spans of requests, syncs and requests to providers to an OTLP collector. They are opened by hand: automatic
 * instrumentation would replace functions of libraries. Nothing global is registered either. Other settings of the
 * exporter are the standard ones: OTEL_EXPORTER_OTLP_HEADERS and its siblings.
 */
@Injectable()
export class OpenTelemetryTracing extends TracingService implements OnApplicationShutdown {
  readonly #current = new AsyncLocalStorage<Context>();
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  constructor(endpoint: string) {
    super();
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': 'tidemark',
        'service.version': VERSION,
        'service.instance.id': INSTANCE,
      }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.#tracer = this.#provider.getTracer('tidemark', VERSION);
  }

  override async trace<T>({ name, kind = 'internal', attributes }: SpanOptions, work: () => Promise<T>): Promise<T> {
    const parent = this.#current.getStore() ?? ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
    try {
      return await this.#current.run(trace.setSpan(parent, span), work);
    } catch (error) {
      // Not its message: that may hold what no collector should see.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown' });
      throw error;
    } finally {
      span.end();
    }
  }

  override traceRequests(app: Pick<INestApplication, 'use'>): void {
    app.use((request: Request, response: Response, next: NextFunction) => {
      const caller = this.#propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const attributes = { 'http.request.method': request.method };
      const span = this.#tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, caller);
      response.once('close', () => endRequest(span, request, response));
      this.#current.run(trace.setSpan(caller, span), next);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_TIMEOUT_MS).unref());
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
  }
}

/** The route is known only when it has answered. Paths and queries may hold ids and searches and stay out. */
function endRequest(span: Span, request: Request, response: Response): void {
  const route = routeOf(request);
  span.updateName(`${request.method} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode });
  if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
