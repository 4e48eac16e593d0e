import { validationFailed } from '../../platform/domain-error.js';
import { Body, Get, Param, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { AuditEventsRepository } from '../../auth/audit/audit-events.repository.js';
import { AuditTrailService } from '../../auth/audit/audit-trail.service.js';
import { PasswordConfirmationService } from '../../auth/password-confirmation.service.js';
import { NUMBER_FORMATS, THEMES } from '../../auth/preferences.js';
import { passwordProblem, verifyPassword } from '../../auth/password.js';
import { type Session, sessionIdOf, SessionsService } from '../../auth/sessions.service.js';
import { IdempotencyKeysService } from '../../http/idempotency/idempotency-keys.service.js';
import { SignUpService } from '../../auth/sign-up.service.js';
import { UsersRepository } from '../../auth/users.repository.js';
import { UsersService } from '../../auth/users.service.js';
import { NDJSON_TYPE } from '../../http/export/media-type.guard.js';
import { PersonalDataExportService } from './personal-data-export.service.js';
import { ExportsService } from '../../http/export/exports.service.js';
import { isUuid } from '../../http/input/validators.js';
import { timeZoneNamed } from '../../platform/time/time-zones.js';
import { FormId, takeShown } from '../layout/sent-twice.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { clearSessionCookie } from '../../auth/page-session.js';
import { type Fields, rawTextOf, textOf } from '../components/form-fields.js';
import type { FieldErrors } from '../components/page-context.js';
import { checkPassword, confirmPassword } from '../components/password-refusal.js';
import type { MadeInvitation } from './invitations.js';
import { SettingsPage, type SettingsPageProps } from './settings.page.js';

/** How many events the page shows. */
const RECENT_EVENTS = 5;

@WebPage('settings')
export class SettingsPageController {
  constructor(
    private readonly users: UsersService,
    private readonly people: UsersRepository,
    private readonly confirmation: PasswordConfirmationService,
    private readonly sessions: SessionsService,
    private readonly signUp: SignUpService,
    private readonly forms: IdempotencyKeysService,
    private readonly dataExport: PersonalDataExportService,
    private readonly exports: ExportsService,
    private readonly audit: AuditTrailService,
    private readonly auditEvents: AuditEventsRepository,
  ) {}

  @Get()
  async show(
    @CurrentSession() session: Session,
    @Query('done') done: unknown,
    @Query('invitation') invitation: unknown,
    @Req() request: Request,
  ): Promise<PageReply> {
    const made = await takeShown<MadeInvitation>(this.forms, session, invitation, request);
    return this.#page(session, { done: String(done), invitation: made });
  }

  @Post('time-zone')
  async setTimeZone(@CurrentSession() session: Session, @Body() body: Fields): Promise<PageReply> {
    const zone = timeZoneNamed(textOf(body, 'time_zone'));
    if (zone === null) return this.#refused(session, { time_zone: 'This time zone does not exist.' });
    await this.users.setTimeZone(session.userId, zone);
    return redirectTo('/settings?done=time-zone');
  }

  @Post('appearance')
  async setAppearance(@CurrentSession() { userId }: Session, @Body() body: Fields): Promise<PageReply> {
    const theme = THEMES.find((known) => known === textOf(body, 'theme'));
    const numberFormat = NUMBER_FORMATS.find((known) => known === textOf(body, 'number_format'));
    // The form offers nothing else.
    if (!theme || !numberFormat) throw validationFailed(['theme and number_format must be among those of the form']);
    await this.users.setPreferences(userId, { theme, numberFormat });
    return redirectTo('/settings?done=appearance');
  }

  @Post('password')
  async setPassword(
    @CurrentSession() session: Session,
    @Body() body: Fields,
    @FormId() formId: string,
    @Req() request: Request,
  ): Promise<PageReply> {
    const form = { userId: session.userId, formId };
    const wanted = rawTextOf(body, 'new_password');
    // Read first: of a form that is sent twice, the second copy finds either that it was sent or the same as the first.
    const before = (await this.people.findById(session.userId))?.passwordHash ?? '';
    if (
      (await this.forms.wasSent(form)) &&
      (await checkPassword(this.confirmation, session, wanted, request)) === null
    ) {
      return redirectTo('/settings?done=password');
    }
    const given = rawTextOf(body, 'password');
    const refusal = await checkPassword(this.confirmation, session, given, request, () =>
      verifyPassword(before, given),
    );
    const problem = await passwordProblem(wanted, session.email);
    const errors = { ...(refusal && { password: refusal.message }), ...(problem && { new_password: problem }) };
    if (Object.keys(errors).length > 0) return this.#refused(session, errors, refusal?.status);
    const isChanged = await this.users.changePassword(session, before, wanted, () =>
      this.forms.sendOnce(form, () => Promise.resolve({})),
    );
    if (!isChanged && !(await this.users.hasPassword(session.userId, wanted))) {
      return this.#refused(session, {
        password: 'Your password was changed a moment ago. Sign in again if that was not you.',
      });
    }
    return redirectTo('/settings?done=password');
  }

  @Post('invitations')
  async invite(
    @CurrentSession() session: Session,
    @Body() body: Fields,
    @FormId() formId: string,
    @Req() request: Request,
  ): Promise<PageReply> {
    const refusal = await confirmPassword(this.confirmation, session, body, request);
    if (refusal) return this.#refused(session, { confirm_password: refusal.message }, refusal.status);
    await this.forms.sendOnce({ userId: session.userId, formId }, async (): Promise<MadeInvitation> => {
      return { invitation: await this.signUp.invite(session.userId) };
    });
    return redirectTo(`/settings?invitation=${formId}`);
  }

  @Post('invitations/:id/revoke')
  async revokeInvitation(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @FormId() formId: string,
  ): Promise<PageReply> {
    const form = { userId, formId };
    if (!(await this.forms.wasSent(form))) {
      if (!(await this.signUp.revokeInvitation(userId, id))) return redirectTo('/settings?done=invitation-gone');
      await this.forms.sendOnce(form, () => Promise.resolve({}));
    }
    return redirectTo('/settings?done=invitation-revoked');
  }

  @Post('sessions/end')
  async endOtherSessions(@CurrentSession() session: Session): Promise<PageReply> {
    await this.sessions.endOthers(session);
    return redirectTo('/settings?done=sessions');
  }

  @Post('sessions/:id/end')
  async endSession(@CurrentSession() session: Session, @Param('id') id: string): Promise<PageReply> {
    if (isUuid(id)) await this.sessions.endOthers(session, id);
    return redirectTo('/settings?done=session');
  }

  @Get('export')
  export(@CurrentSession() session: Session, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    const owner = { userId: session.userId, secretId: sessionIdOf(session) };
    const file = { name: 'tidemark.ndjson', type: NDJSON_TYPE };
    return this.exports.stream(response, owner, this.#recordedExport(session.userId), file);
  }

  /** Recorded when the export starts; a refused export does not. */
  async *#recordedExport(userId: string): AsyncGenerator<string, void> {
    await this.audit.record({ userId, kind: 'data_exported' });
    yield* this.dataExport.lines(userId);
  }

  @Post('delete')
  async deleteAll(
    @CurrentSession() session: Session,
    @Body() body: Fields,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageReply> {
    const refusal = await checkPassword(this.confirmation, session, rawTextOf(body, 'delete_password'), request);
    if (refusal) return this.#refused(session, { delete_password: refusal.message }, refusal.status);
    await this.users.delete(session.userId);
    clearSessionCookie(request, response);
    return redirectTo('/sign-in?notice=deleted');
  }

  async #refused(session: Session, errors: FieldErrors, status?: number): Promise<PageReply> {
    return refuse(await this.#page(session), errors, status);
  }

  async #page(session: Session, shown: ShownParts = {}): Promise<VNode> {
    const { rows: events } = await this.auditEvents.listPage(session.userId, { page: 1, per_page: RECENT_EVENTS });
    const parts = {
      sessions: await this.sessions.list(session),
      openInvitations: await this.signUp.listOpenInvitations(session.userId),
      events,
      done: '',
      invitation: null,
      ...shown,
    };
    return <SettingsPage session={session} {...parts} />;
  }
}

type ShownParts = Partial<Pick<SettingsPageProps, 'done' | 'invitation'>>;
