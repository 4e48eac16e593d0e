import { createServer, type RequestListener, type Server } from 'node:http';
import { Injectable, NotFoundException, type OnModuleDestroy } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import express, { type NextFunction, type Request, type Response } from 'express';
import { Config } from '../../platform/config/config.js';
import { ErrorFilter } from '../../http/errors/error.filter.js';
import { rememberRequest } from '../../platform/request-context.js';
import { listenOn, prepareServer } from '../../http/server.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';

/** Serves the metrics on METRICS_PORT, for a Prometheus on another machine of the same network. */
@Injectable()
export class MetricsServer implements OnModuleDestroy {
  #server: Server | null = null;

  constructor(
    private readonly metrics: MetricsService,
    private readonly config: Config,
  ) {}

  /** Does nothing without METRICS_PORT. */
  async listen(): Promise<void> {
    const { host, metricsPort } = this.config;
    if (metricsPort === null) return;
    const server = createServer(this.#application());
    prepareServer(server, this.config);
    await listenOn(server, metricsPort, host);
    this.#server = server;
  }

  #application(): RequestListener {
    const application = express();
    application.disable('x-powered-by');
    application.disable('etag');
    application.use(rememberRequest);
    application.get('/metrics', async (_request, response) => {
      const { type, text } = await this.metrics.read();
      response.type(type).send(text);
    });
    application.use(() => {
      throw new NotFoundException();
    });
    const errors = new ErrorFilter();
    // Express knows a handler of errors by its four parameters.
    application.use((error: unknown, request: Request, response: Response, next: NextFunction) =>
      errors.catch(error, new ExecutionContextHost([request, response, next])),
    );
    return application;
  }

  /** What it really listens on; `null` where it does not. */
  get port(): number | null {
    const address = this.#server?.address();
    return typeof address === 'object' ? (address?.port ?? null) : null;
  }

  async onModuleDestroy(): Promise<void> {
    const server = this.#server;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  }
}
