import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { DemoCredentials } from '../bank-provider/demo-credentials.js';
import { dateOfUnixSeconds } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { createGlobalSandbox } from './global-provider/server.js';
import { SandboxCredentials } from './sandbox-credentials.js';
import { createUsSandbox } from './us-provider/server.js';

/** Serves the sandbox providers below `/sandbox`. Their day is the UTC day of the injected clock. */
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
  }
}
