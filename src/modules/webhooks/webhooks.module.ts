import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { SyncModule } from '../../sync/sync.module.js';
import { WebhooksPageController } from './pages/webhooks-page.controller.js';
import { WebhookDeliveriesController } from './deliveries/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import { WebhookEndpointsService } from './endpoints/webhook-endpoints.service.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { WebhookSender } from './message/webhook-sender.js';
import { DeliveryWorker } from './sending/delivery-worker.js';
import { LeasesQueries } from './sending/leases.queries.js';

@Module({
  imports: [AuthModule, SyncModule],
  controllers: [WebhooksController, WebhookDeliveriesController, WebhooksPageController],
  providers: [DeliveryWorker, LeasesQueries, WebhookDeliveriesService, WebhookEndpointsService, WebhookSender],
  exports: [WebhookDeliveriesService, WebhookEndpointsService],
})
export class WebhooksModule {}
