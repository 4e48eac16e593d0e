import { Body, Get, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import { PasswordConfirmationService } from '../../auth/password-confirmation.service.js';
import { SecondFactorService } from '../../auth/second-factor/second-factor.service.js';
import type { Session } from '../../auth/sessions.service.js';
import { IdempotencyKeysService } from '../../idempotency/idempotency-keys.service.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { confirmPassword, secretRefusal } from '../components/password-refusal.js';
import { FormId, takeShown } from '../layout/sent-twice.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import type { ShownOnce } from '../components/shown-once.js';
import { type MadeCodes, SecondFactorPage } from './second-factor.page.js';

const HERE = '/settings/second-factor';

@WebPage('settings/second-factor')
export class SecondFactorPageController {
  constructor(
    private readonly secondFactor: SecondFactorService,
    private readonly forms: IdempotencyKeysService,
    private readonly confirmation: PasswordConfirmationService,
  ) {}

  @Get()
  async show(
    @CurrentSession() session: Session,
    @Query('codes') codes: unknown,
    @Req() request: Request,
  ): Promise<PageReply> {
    return this.#page(session, await takeShown<MadeCodes>(this.forms, session, codes, request));
  }

  @Post()
  async begin(@CurrentSession() session: Session, @Body() body: Fields, @Req() request: Request): Promise<PageReply> {
    return this.#withPassword(session, body, request, async () => {
      await this.secondFactor.begin(session.userId);
      return redirectTo(HERE);
    });
  }

  /** Turns it on with a first code. */
  @Post('confirm')
  async confirm(
    @CurrentSession() session: Session,
    @Body() body: Fields,
    @FormId() formId: string,
    @Req() request: Request,
  ): Promise<PageReply> {
    // The page then asks for the password again.
    if (!session.isPasswordFresh) return redirectTo(HERE);
    const check = await this.secondFactor.confirm(session, textOf(body, 'code'));
    if (check === 'right') return this.#showNewCodes(session, formId);
    // The form was sent twice, and the first one turned it on.
    if ((await this.secondFactor.state(session.userId)).onSince) return redirectTo(`${HERE}?codes=${formId}`);
    const wrong = 'This code is wrong. Check that your phone’s clock is right.';
    const { message, status } = secretRefusal(check, wrong, request);
    return refuse(await this.#page(session), { code: message }, status);
  }

  @Post('recovery-codes')
  async renewCodes(
    @CurrentSession() session: Session,
    @Body() body: Fields,
    @FormId() formId: string,
    @Req() request: Request,
  ): Promise<PageReply> {
    return this.#withPassword(session, body, request, async () => {
      const { onSince } = await this.secondFactor.state(session.userId);
      return onSince ? this.#showNewCodes(session, formId) : redirectTo(HERE);
    });
  }

  @Post('remove')
  async remove(@CurrentSession() session: Session, @Body() body: Fields, @Req() request: Request): Promise<PageReply> {
    return this.#withPassword(session, body, request, async () => {
      await this.secondFactor.remove(session.userId, 'second_factor_removed');
      return redirectTo(HERE);
    });
  }

  async #showNewCodes({ userId }: Session, formId: string): Promise<PageReply> {
    await this.forms.sendOnce({ userId, formId }, async (): Promise<MadeCodes> => {
      return { codes: await this.secondFactor.renewRecoveryCodes(userId) };
    });
    return redirectTo(`${HERE}?codes=${formId}`);
  }

  async #withPassword(
    session: Session,
    body: Fields,
    request: Request,
    work: () => Promise<PageReply>,
  ): Promise<PageReply> {
    const refusal = await confirmPassword(this.confirmation, session, body, request);
    if (!refusal) return work();
    return refuse(await this.#page(session), { confirm_password: refusal.message }, refusal.status);
  }

  async #page(session: Session, made: ShownOnce<MadeCodes> = null): Promise<VNode> {
    const state = await this.secondFactor.state(session.userId);
    // A setup that was left shows its secret to nobody who finds the session open; setting up makes a new one.
    const enrolment = session.isPasswordFresh ? await this.secondFactor.enrolment(session) : null;
    return <SecondFactorPage state={state} enrolment={enrolment} made={made} />;
  }
}
