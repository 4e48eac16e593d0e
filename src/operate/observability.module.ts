import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseGaugesService } from './exposition/database-gauges.service.js';
import { MetricsServer } from './exposition/metrics-server.js';
import { MetricsController } from './exposition/metrics.controller.js';
import { DatabaseIndicator } from './health/database.indicator.js';
import { HealthController } from './health/health.controller.js';

@Module({
  // The answer reports a failed check, and whatever failed logs it: terminus would log a line at every probe.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [DatabaseGaugesService, DatabaseIndicator, MetricsServer],
  exports: [DatabaseGaugesService],
})
export class ObservabilityModule {}
