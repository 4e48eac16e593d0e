import { Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Session, SessionsService } from '../../auth/sessions.service.js';
import { type PageReply, redirectTo } from '../layout/page-reply.js';
import { clearSessionCookie } from '../layout/page-session.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';

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
