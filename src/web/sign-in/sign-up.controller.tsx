import { Body, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientNetworkOf } from '../../http/client-network.js';
import { passwordProblem } from '../../auth/password.js';
import { SignInService } from '../../auth/sign-in.service.js';
import { SignUpService } from '../../auth/sign-up.service.js';
import { timeZoneNamed } from '../../platform/time/time-zones.js';
import { PageProblemError, type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { PageSessions, sessionOf } from '../../auth/page-session.js';
import { PublicPage } from '../layout/web-page.js';
import { type Fields, rawTextOf, textOf } from '../components/form-fields.js';
import type { FieldErrors } from '../components/page-context.js';
import { SignUpPage } from './entrance.pages.js';

const TAKEN = 'A user with this e-mail address already exists. Sign in instead.';

@PublicPage('sign-up')
export class SignUpController {
  constructor(
    private readonly signUp: SignUpService,
    private readonly signIn: SignInService,
    private readonly pageSessions: PageSessions,
  ) {}

  @Get()
  async show(@Req() request: Request, @Query('invitation') invitation: unknown): Promise<PageReply> {
    if (sessionOf(request)) return redirectTo('/');
    const text = typeof invitation === 'string' ? invitation : null;
    const first = await this.signUp.isFirst();
    if (!(await this.signUp.isOpen(text))) throw first ? closedToFirst() : closed(text);
    return <SignUpPage invitation={text} first={first} />;
  }

  @Post()
  async create(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() body: Fields,
  ): Promise<PageReply> {
    const { form, errors } = await readSignUpForm(body);
    const invitation = textOf(body, 'invitation') || null;
    const first = await this.signUp.isFirst();
    const again = (errors: FieldErrors) => refuse(<SignUpPage invitation={invitation} first={first} />, errors);
    if (Object.keys(errors).length > 0) return again(errors);
    const answer = await this.signUp.create(form, invitation);
    // Sent twice, the form finds the user whom it has just created: who knows the password is signed in.
    const known =
      'user' in answer ? answer : await this.signIn.attempt(form.email, form.password, clientNetworkOf(request));
    if ('user' in known && (await this.pageSessions.begin(known.user, request, response))) return redirectTo('/');
    if ('refused' in answer && answer.refused === 'closed') throw first ? closedToFirst() : closed(invitation);
    return again({ email: TAKEN });
  }
}

const TO_SIGN_IN = { href: '/sign-in', text: 'Sign in' };

function closedToFirst(): PageProblemError {
  const text = 'Open the link that the start of this server has printed, or create the first user by the command line.';
  return new PageProblemError(403, 'The first person signs up with a link', text, {
    href: '/docs',
    text: 'Documentation',
  });
}

function closed(invitation: string | null): PageProblemError {
  const [title, text]: [string, string] =
    invitation === null
      ? ['Sign-up is by invitation', 'Ask someone who uses this server: they can create an invitation in the settings.']
      : ['This invitation cannot be used', 'It has been used or has expired. Ask for a new one.'];
  return new PageProblemError(403, title, text, TO_SIGN_IN);
}

const MAX_EMAIL_CHARS = 254;

interface SignUpForm {
  email: string;
  password: string;
  /** IANA name from the browser; UTC by default. */
  timeZone: string;
}

async function readSignUpForm(body: Fields): Promise<{ form: SignUpForm; errors: FieldErrors }> {
  const form = {
    email: textOf(body, 'email'),
    password: rawTextOf(body, 'password'),
    timeZone: timeZoneNamed(textOf(body, 'time_zone')) ?? 'UTC',
  };
  const problem = await passwordProblem(form.password, form.email);
  return { form, errors: { ...emailErrors(form.email), ...(problem && { password: problem }) } };
}

function emailErrors(email: string): FieldErrors {
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= MAX_EMAIL_CHARS) return {};
  return { email: 'Enter an e-mail address, like you@example.com.' };
}
