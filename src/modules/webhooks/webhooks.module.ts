import { Module } from '@nestjs/common';
import { KitModule } from '../../kit.js';
import { WebhooksPageController } from './pages/webhooks-page.controller.js';
import { WebhookDeliveriesController } from './deliveries/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import { WebhookEndpointsService } from './endpoints/webhook-endpoints.service.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { SendWebhooksService } from './sending/send-webhooks.service.js';

@Module({
  imports: [KitModule],
  controllers: [WebhooksController, WebhookDeliveriesController, WebhooksPageController],
  providers: [SendWebhooksService, WebhookDeliveriesService, WebhookEndpointsService],
})
export class WebhooksModule {}
