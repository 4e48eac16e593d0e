import { Module } from '@nestjs/common';
import { DatabaseGaugesService } from './exposition/database-gauges.service.js';
import { MetricsServer } from './exposition/metrics-server.js';
import { MetricsController } from './exposition/metrics.controller.js';
import { HealthController } from './health/health.controller.js';

@Module({
  controllers: [HealthController, MetricsController],
  providers: [DatabaseGaugesService, MetricsServer],
})
export class ObservabilityModule {}
