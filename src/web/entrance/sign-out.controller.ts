import { Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Sessions } from '../../auth/sessions.service.js';
import { type PageReply, redirectTo } from '../frame/page-reply.js';
import { sessionOf } from '../frame/page-session.js';
import { clearSessionCookie } from '../frame/session-cookie.js';
import { PublicPage } from '../frame/web-page.decorator.js';

@PublicPage('sign-out')
export class SignOutController {
  constructor(private readonly sessions: Sessions) {}

  @Post()
  async leave(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<PageReply> {
    const session = sessionOf(request);
    if (session) await this.sessions.end(session);
    clearSessionCookie(request, response);
    return redirectTo('/sign-in');
  }
}
