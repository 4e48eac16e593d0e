import { Body, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientNetworkOf } from '../../http/client-network.js';
import { type Session, SessionsService } from '../../auth/sessions.service.js';
import { SignInService } from '../../auth/sign-in.service.js';
import { SignUpService } from '../../auth/sign-up.service.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, PublicPage, WebPage } from '../layout/web-page.js';
import { clearSessionCookie, deviceTokenOf, PageSessions, sessionOf } from '../../auth/page-session.js';
import { type Fields, ownPath, rawTextOf, textOf } from '../components/form-fields.js';
import { secretRefusal } from '../components/password-refusal.js';
import { CodePage, SignInPage } from './entrance.pages.js';

@PublicPage('sign-in')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly signUp: SignUpService,
    private readonly pageSessions: PageSessions,
  ) {}

  @Get()
  async show(
    @Req() request: Request,
    @Query('next') next: unknown,
    @Query('notice') notice: unknown,
  ): Promise<PageReply> {
    if (sessionOf(request)) return redirectTo(ownPath(next));
    if (await this.signUp.isFirst()) return redirectTo('/sign-up');
    const signUpOpen = await this.signUp.isOpen(null);
    return <SignInPage next={ownPath(next)} signUpOpen={signUpOpen} notice={String(notice)} />;
  }

  @Post()
  async enter(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() body: Fields,
  ): Promise<PageReply> {
    const email = textOf(body, 'email');
    const next = ownPath(textOf(body, 'next'));
    const password = rawTextOf(body, 'password');
    const answer = await this.signIn.attempt(email, password, clientNetworkOf(request), deviceTokenOf(request));
    if ('ticket' in answer) return <CodePage ticket={answer.ticket} next={next} />;
    if ('user' in answer && (await this.pageSessions.begin(answer.user, request, response))) return redirectTo(next);
    const refused = 'user' in answer ? 'wrong' : answer.refused;
    const { message, status } = secretRefusal(refused, 'The e-mail address or password is wrong.', request);
    const signUpOpen = await this.signUp.isOpen(null);
    return refuse(<SignInPage next={next} signUpOpen={signUpOpen} />, { password: message }, status);
  }

  @Post('code')
  async enterCode(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() body: Fields,
  ): Promise<PageReply> {
    const ticket = textOf(body, 'ticket');
    const next = ownPath(textOf(body, 'next'));
    const answer = await this.signIn.attemptCode(ticket, textOf(body, 'code'));
    if ('user' in answer && (await this.pageSessions.begin(answer.user, request, response))) return redirectTo(next);
    const refused = 'user' in answer ? 'expired' : answer.refused;
    if (refused === 'expired') return redirectTo(`/sign-in?next=${encodeURIComponent(next)}&notice=code-expired`);
    const { message, status } = secretRefusal(refused, 'This code is wrong or has already been used.', request);
    return refuse(<CodePage ticket={ticket} next={next} />, { code: message }, status);
  }
}

@WebPage('sign-out')
export class SignOutController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  async leave(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageReply> {
    await this.sessions.end(session);
    clearSessionCookie(request, response);
    return redirectTo('/sign-in');
  }
}
