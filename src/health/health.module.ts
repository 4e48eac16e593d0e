import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsServer } from './metrics-server.js';
import { Metrics } from './metrics.js';

@Module({
  controllers: [HealthController, MetricsController],
  providers: [Metrics, MetricsServer],
})
export class HealthModule {}
