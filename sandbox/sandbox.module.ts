import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DemoCredentials } from '../src/providers/demo-credentials.js';
import { dateOfUnixSeconds } from '../src/platform/time/calendar-date.js';
import { Clock } from '../src/platform/time/clock.js';
import { createGlobalSandbox } from './global-provider/server.js';
import { SandboxCredentials, RECEIVER_PATH } from './sandbox-credentials.js';
import { RATES_PATH, serveRates } from './rates.js';
import { createUsSandbox } from './us-provider/server.js';

/** Serves the sandbox providers, exchange rates and a receiver of any request below `/sandbox`. The providers' day is the UTC day of the injected clock. */
@Global()
@Module({
  providers: [{ provide: DemoCredentials, useClass: SandboxCredentials }],
  exports: [DemoCredentials],
})
export class SandboxModule implements NestModule {
  constructor(private readonly clock: Clock) {}

  configure(consumer: MiddlewareConsumer): void {
    const today = () => dateOfUnixSeconds(Math.floor(this.clock.now().getTime() / 1000));
    consumer.apply(createUsSandbox({ today })).forRoutes('sandbox/us/*path');
    consumer.apply(createGlobalSandbox({ today })).forRoutes('sandbox/global/*path');
    consumer.apply(serveRates(today)).forRoutes(RATES_PATH);
    const receive = (_request: Request, response: Response) => response.status(204).end();
    consumer.apply(receive).forRoutes(RECEIVER_PATH);
  }
}
