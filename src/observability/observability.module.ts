import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseGaugesService } from './exposition/database-gauges.service.js';
import { MetricsServer } from './exposition/metrics-server.js';
import { MetricsController } from './exposition/metrics.controller.js';
import { DatabaseIndicator } from './health/database.indicator.js';
import { HealthController } from './health/health.controller.js';

@Module({
  // A failed check is told by the answer, and by what failed: terminus would write a line at every probe.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [DatabaseGaugesService, DatabaseIndicator, MetricsServer],
})
export class ObservabilityModule {}
