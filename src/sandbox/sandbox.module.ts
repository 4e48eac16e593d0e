import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { dateOfUnixSeconds } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { createGlobalSandbox } from './global-provider/server.js';
import { createUsSandbox } from './us-provider/server.js';

/** The sandbox providers under `/sandbox` of this process. Their day is the UTC day of the injected clock. */
@Module({})
export class SandboxModule implements NestModule {
  constructor(private readonly clock: Clock) {}

  configure(consumer: MiddlewareConsumer): void {
    const today = () => dateOfUnixSeconds(Math.floor(this.clock.now().getTime() / 1000));
    consumer.apply(createUsSandbox({ today })).forRoutes('sandbox/us/*path');
    consumer.apply(createGlobalSandbox({ today })).forRoutes('sandbox/global/*path');
  }
}
