import { Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SessionsService } from '../../auth/sessions.service.js';
import { type PageReply, redirectTo } from '../layout/page-reply.js';
import { sessionOf } from '../layout/page-session.js';
import { clearSessionCookie } from '../layout/session-cookie.js';
import { PublicPage } from '../layout/web-page.decorator.js';

@PublicPage('sign-out')
export class SignOutController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  async leave(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<PageReply> {
    const session = sessionOf(request);
    if (session) await this.sessions.end(session);
    clearSessionCookie(request, response);
    return redirectTo('/sign-in');
  }
}
