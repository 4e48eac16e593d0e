import { createServer, type Server } from 'node:http';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { listenOn, prepareServer } from '../../http/server.js';
import { MetricsService } from '../metrics/metrics.service.js';

/** Serves the metrics on METRICS_PORT, for a Prometheus on another machine of the same network. */
@Injectable()
export class MetricsServer implements OnModuleDestroy {
  readonly #log = new Logger('Metrics');
  #server: Server | null = null;

  constructor(
    private readonly metrics: MetricsService,
    private readonly config: Config,
  ) {}

  /** Does nothing without METRICS_PORT. */
  async listen(): Promise<void> {
    const { host, metricsPort } = this.config;
    if (metricsPort === null) return;
    const server = createServer((_request, response) => {
      this.metrics.read().then(
        ({ type, text }) => response.setHeader('Content-Type', type).end(text),
        (error: unknown) => {
          this.#log.warn(`Metrics cannot be read: ${String(error)}`);
          response.writeHead(503).end();
        },
      );
    });
    prepareServer(server, this.config);
    await listenOn(server, metricsPort, host);
    this.#server = server;
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
