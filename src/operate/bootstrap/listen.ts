import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../../platform/config/config.js';
import { listenOn } from '../../http/server.js';
import { MetricsServer } from '../exposition/metrics-server.js';
import { StartupError } from '../../platform/config/startup-error.js';

/** Starts the server. @returns its address with the real port */
export async function listen(
  app: NestExpressApplication,
  { host, port, metricsPort }: Pick<Config, 'host' | 'port' | 'metricsPort'>,
): Promise<string> {
  // Before the port plays a part in what may fail.
  await app.init();
  await listenOn(app.getHttpServer(), port, host).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen('PORT', host, port, error);
  });
  await app
    .get(MetricsServer)
    .listen()
    .catch((error: NodeJS.ErrnoException) => {
      throw cannotListen('METRICS_PORT', host, metricsPort, error);
    });
  const taken = (app.getHttpServer().address() as AddressInfo).port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
}

function cannotListen(
  variable: 'PORT' | 'METRICS_PORT',
  host: string,
  port: number | null,
  { code, message }: NodeJS.ErrnoException,
): StartupError {
  if (code === 'EADDRINUSE') {
    return new StartupError(
      `Port ${port} on ${host} is taken: stop what uses it, or set ${variable} to another (0 picks a free one).`,
    );
  }
  return new StartupError(
    `Cannot listen on ${host}:${port} (${code ?? message}): set HOST and ${variable} to an address this machine has.`,
  );
}
