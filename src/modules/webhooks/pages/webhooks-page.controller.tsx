import { Body, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import {
  CurrentSession,
  DomainError,
  type FieldErrors,
  type Fields,
  FormId,
  IdempotencyKeysService,
  type PageQuery,
  type PageReply,
  readPage,
  redirectTo,
  refuse,
  type Session,
  takeShown,
  textOf,
  WebPage,
} from '../../../kit.js';
import { WebhookDeliveriesService } from '../deliveries/webhook-deliveries.service.js';
import { MAX_ENDPOINTS, WebhookEndpointsService } from '../endpoints/webhook-endpoints.service.js';
import { readWebhookForm, WebhookPage, type WebhookPageProps } from './webhook.page.js';
import type { MadeSecret } from './webhook-state.js';
import { WebhooksPage, type WebhooksPageProps } from './webhooks.page.js';

const PER_PAGE = 20;
const ALL = { page: 1, per_page: MAX_ENDPOINTS };

@WebPage('settings/webhooks')
export class WebhooksPageController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly forms: IdempotencyKeysService,
  ) {}

  @Get()
  async list(@CurrentSession() session: Session, @Query() query: Fields, @Req() request: Request): Promise<PageReply> {
    const secret = await takeShown<MadeSecret>(this.forms, session, query?.created, request);
    const isRemoved = textOf(query, 'done') === 'removed';
    return this.#listPage(session, { secret, isRemoved });
  }

  @Post()
  async create(@CurrentSession() session: Session, @Body() body: Fields, @FormId() formId: string): Promise<PageReply> {
    const { userId } = session;
    const { draft, errors } = readWebhookForm(body);
    const create = async (): Promise<MadeSecret> => {
      return { secret: (await this.endpoints.create(userId, draft)).secret.reveal() };
    };
    const refused = await tryToSave(errors, () => this.forms.sendOnce({ userId, formId }, create));
    if (!refused) return redirectTo(`/settings/webhooks?created=${formId}`);
    return refuse(await this.#listPage(session, { secret: null }), refused);
  }

  @Get(':id')
  async show(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Query() query: Fields,
    @Req() request: Request,
  ): Promise<PageReply> {
    const secret = await takeShown<MadeSecret>(this.forms, session, query?.secret, request);
    const done = textOf(query, 'done');
    return this.#page(session, id, { secret, done }, textOf(query, 'page'));
  }

  @Post(':id')
  async edit(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: Fields): Promise<PageReply> {
    const { draft, errors } = readWebhookForm(body);
    const refused = await tryToSave(errors, () => this.endpoints.edit(session.userId, id, draft));
    if (!refused) return redirectTo(`/settings/webhooks/${id}?done=saved`);
    return refuse(await this.#page(session, id), refused);
  }

  @Post(':id/enable')
  async enable(@CurrentSession() { userId }: Session, @Param('id') id: string): Promise<PageReply> {
    await this.endpoints.edit(userId, id, { status: 'enabled' });
    return redirectTo(`/settings/webhooks/${id}`);
  }

  @Post(':id/disable')
  async disable(@CurrentSession() { userId }: Session, @Param('id') id: string): Promise<PageReply> {
    await this.endpoints.edit(userId, id, { status: 'disabled' });
    return redirectTo(`/settings/webhooks/${id}`);
  }

  @Post(':id/test')
  async test(@CurrentSession() { userId }: Session, @Param('id') id: string): Promise<PageReply> {
    await this.deliveries.test(userId, id);
    return redirectTo(`/settings/webhooks/${id}?done=asked`);
  }

  @Post(':id/deliveries/:delivery_id/replay')
  async replay(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<PageReply> {
    await this.deliveries.replay(userId, deliveryId);
    return redirectTo(`/settings/webhooks/${id}?done=asked`);
  }

  @Post(':id/rotate-secret')
  async rotateSecret(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @FormId() formId: string,
  ): Promise<PageReply> {
    await this.forms.sendOnce({ userId, formId }, async (): Promise<MadeSecret> => {
      return { secret: (await this.endpoints.rotateSecret(userId, id)).secret.reveal() };
    });
    return redirectTo(`/settings/webhooks/${id}?secret=${formId}`);
  }

  @Post(':id/remove')
  async remove(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @FormId() formId: string,
  ): Promise<PageReply> {
    await this.forms.sendOnce({ userId, formId }, async () => {
      await this.endpoints.remove(userId, id);
      return {};
    });
    return redirectTo('/settings/webhooks?done=removed');
  }

  async #listPage({ userId }: Session, shown: Omit<WebhooksPageProps, 'endpoints'>): Promise<VNode> {
    const { rows: endpoints } = await this.endpoints.listPage(userId, ALL);
    return <WebhooksPage endpoints={endpoints} {...shown} />;
  }

  async #page({ userId }: Session, id: string, shown: Partial<WebhookPageProps> = {}, pageText = ''): Promise<VNode> {
    const endpoint = await this.endpoints.get(userId, id);
    const list = (page: PageQuery) => this.deliveries.listPage(endpoint, page);
    const { rows: deliveries, page, last } = await readPage(pageText, PER_PAGE, list);
    const parts = { secret: null, done: '', page, last, ...shown };
    return <WebhookPage endpoint={endpoint} deliveries={deliveries} {...parts} />;
  }
}

/**
 * @param errors of the form, with which nothing is saved
 * @returns what is wrong; `null`: it was saved
 */
async function tryToSave(errors: FieldErrors, save: () => Promise<unknown>): Promise<FieldErrors | null> {
  if (Object.keys(errors).length > 0) return errors;
  try {
    await save();
    return null;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error;
    return { url: `The address ${error.message.replace(/^url /, '')}.` };
  }
}
