import { Body, Get, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientNetworkOf } from '../../http/client-network.js';
import { AuditTrail } from '../../auth/audit/audit-trail.service.js';
import { PasswordAttemptsService } from '../../auth/password-attempts.service.js';
import { sessionIdOf, SessionsService, type Session } from '../../auth/sessions.service.js';
import { SignUpService } from '../../auth/sign-up.service.js';
import { UsersService } from '../../auth/users.service.js';
import { PersonalDataExportService } from '../../personal-data/personal-data-export.service.js';
import { ExportsService } from '../../http/export/exports.service.js';
import { isTimeZone } from '../../time/calendar-date.js';
import { passwordErrors } from '../sign-in/entrance-form.js';
import { originOf } from '../layout/origin.js';
import { type PageReply, redirectTo } from '../layout/page-reply.js';
import { CurrentSession } from '../layout/page-session.js';
import { clearSessionCookie } from '../layout/session-cookie.js';
import { WebPage } from '../layout/web-page.decorator.js';
import type { FieldErrors } from '../components/field.js';
import { type FormBody, rawTextOf, textOf } from '../components/form-body.js';
import { tooManyAttempts } from '../components/too-many-attempts.js';
import { SettingsPage } from './settings.page.js';

@WebPage('settings')
export class SettingsPageController {
  constructor(
    private readonly users: UsersService,
    private readonly attempts: PasswordAttemptsService,
    private readonly sessions: SessionsService,
    private readonly signUp: SignUpService,
    private readonly dataExport: PersonalDataExportService,
    private readonly exports: ExportsService,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  show(@CurrentSession() session: Session, @Query('done') done: unknown): PageReply {
    return <SettingsPage session={session} done={typeof done === 'string' ? done : null} errors={{}} />;
  }

  @Post('time-zone')
  async setTimeZone(@CurrentSession() session: Session, @Body() body: FormBody): Promise<PageReply> {
    const zone = textOf(body, 'time_zone');
    if (!isTimeZone(zone)) return refused(session, { time_zone: 'This time zone does not exist.' });
    await this.users.setTimeZone(session.userId, zone);
    return redirectTo('/settings?done=time-zone');
  }

  /** Ends every other session: who changes a password may have a reason. */
  @Post('password')
  async setPassword(
    @CurrentSession() session: Session,
    @Body() body: FormBody,
    @Req() request: Request,
  ): Promise<PageReply> {
    const wanted = rawTextOf(body, 'new_password');
    const refusal = await this.#refusalOf(rawTextOf(body, 'password'), session, request);
    const errors = { ...(refusal && { password: refusal.message }), ...passwordErrors(wanted, 'new_password') };
    if (Object.keys(errors).length > 0) return refused(session, errors, refusal?.status);
    if (!(await this.users.changePassword(session.userId, rawTextOf(body, 'password'), wanted))) {
      return refused(session, {
        password: 'Your password was changed a moment ago. Sign in again if that was not you.',
      });
    }
    await this.sessions.endOthers(session);
    return redirectTo('/settings?done=password');
  }

  /** Answers with the page itself: the invitation is shown once. */
  @Post('invitations')
  async invite(@CurrentSession() session: Session, @Req() request: Request): Promise<PageReply> {
    const invitation = `${originOf(request)}/sign-up?invitation=${await this.signUp.invite(session.userId)}`;
    return <SettingsPage session={session} done={null} errors={{}} invitation={invitation} />;
  }

  @Get('export')
  export(@CurrentSession() session: Session, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    const owner = { userId: session.userId, credentialId: sessionIdOf(session) };
    const file = { name: 'tidemark.ndjson', type: 'application/x-ndjson' };
    return this.exports.stream(response, owner, this.#recordedExport(session.userId), file);
  }

  /** Recorded when it begins, which an export that is refused never does. */
  async *#recordedExport(userId: string): AsyncGenerator<string, void> {
    await this.audit.record({ userId, kind: 'data_exported' });
    yield* this.dataExport.lines(userId);
  }

  @Post('delete')
  async deleteAll(
    @CurrentSession() session: Session,
    @Body() body: FormBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageReply> {
    const refusal = await this.#refusalOf(rawTextOf(body, 'delete_password'), session, request);
    if (refusal) return refused(session, { delete_password: refusal.message }, refusal.status);
    await this.users.delete(session.userId);
    clearSessionCookie(request, response);
    return redirectTo('/sign-in');
  }

  /** Whoever has the session of somebody else could try passwords here, so these attempts are counted like sign-ins. */
  async #refusalOf(password: string, { userId, email }: Session, request: Request): Promise<Refusal | null> {
    const attempt = { email, client: clientNetworkOf(request) };
    const check = await this.attempts.check(attempt, () => this.users.hasPassword(userId, password));
    if (check === 'right') return null;
    if (check === 'wrong') await this.audit.record({ userId, kind: 'password_check_failed' });
    if (check === 'wrong') return { message: 'This is not your password.', status: 422 };
    request.res?.set('Retry-After', String(check.waitSeconds));
    return { message: tooManyAttempts(check.waitSeconds), status: 429 };
  }
}

interface Refusal {
  message: string;
  status: number;
}

function refused(session: Session, errors: FieldErrors, status = 422): PageReply {
  return { page: <SettingsPage session={session} done={null} errors={errors} />, status };
}
