import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { ScheduleModule } from '../../sync/jobs/schedule.module.js';
import { SyncModule } from '../../sync/sync.module.js';
import { WebhooksPageController } from './pages/webhooks-page.controller.js';
import { WebhookDeliveriesController } from './deliveries/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import { WebhookEndpointsService } from './endpoints/webhook-endpoints.service.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { WebhookSender } from './message/webhook-sender.js';
import { SendWebhooksService } from './sending/send-webhooks.service.js';

@Module({
  imports: [AuthModule, ScheduleModule, SyncModule],
  controllers: [WebhooksController, WebhookDeliveriesController, WebhooksPageController],
  providers: [SendWebhooksService, WebhookDeliveriesService, WebhookEndpointsService, WebhookSender],
})
export class WebhooksModule {}
