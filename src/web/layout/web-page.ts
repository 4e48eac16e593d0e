import {
  applyDecorators,
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ApiExcludeController } from '@nestjs/swagger';
import { isFormToken } from '../../auth/form-token.js';
import { isOwnOrigin, isSafeMethod } from '../../http/headers.js';
import { readUpload, uploadOf } from '../../http/input/upload.js';
import { RequestLimiterService } from '../../auth/request-limiter.service.js';
import { type Session, SessionsService } from '../../auth/sessions.service.js';
import { GuardedBy } from '../../auth/access.guard.js';
import { pageOfForm, PageProblemError, SignInNeededError } from './page-reply.js';
import { rememberSession, sessionOf, sessionTokenOf } from '../../auth/page-session.js';
import { PageInterceptor } from './render-page.js';

/** Metadata key of {@link PublicPage}. */
const PUBLIC_PAGE = 'tidemark:public-page';

/** Finds the session, counts the request, and refuses forms that were not sent from our pages. */
@Injectable()
export class PageGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionsService,
    private readonly requestLimiter: RequestLimiterService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const isForm = !isSafeMethod(request);
    if (isForm && !isFromOurPages(request)) throw foreign();
    const token = sessionTokenOf(request);
    const session = token === null ? null : await this.sessions.find(token);
    const isPublic = this.reflector.get<boolean>(PUBLIC_PAGE, context.getClass());
    if (session) {
      // Not by network: people in the same network share no limit once they have signed in.
      this.requestLimiter.countUser(session.userId);
      const upload = uploadOf(context.getHandler());
      if (upload) await readUpload(request, context.switchToHttp().getResponse<Response>(), upload);
      // The form to sign in or up may have been open while another tab signed in.
      if (isForm && !isPublic && !isFormToken(formTokenOf(request), session.token)) throw outOfDate(request);
      rememberSession(request, session);
      return true;
    }
    this.requestLimiter.countNetwork(request);
    if (!isPublic) throw new SignInNeededError(token !== null);
    return true;
  }
}

/** The origin of a form: newer browsers send `Sec-Fetch-Site` (over https), all send `Origin`. */
function isFromOurPages(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  return isOwnOrigin(request.get('origin') ?? '', request);
}

function formTokenOf({ body }: Request): string {
  const token = (body as Record<string, unknown> | undefined)?.form_token;
  return typeof token === 'string' ? token : '';
}

function foreign(): PageProblemError {
  return new PageProblemError(403, 'This form was not sent', 'Open its page in this browser and send it again.');
}

/** A form that was open while its person signed in again. */
function outOfDate(request: Request): PageProblemError {
  const link = { href: pageOfForm(request), text: 'Open its page' };
  const text = 'You have signed in again since you opened it. Open its page and enter it again.';
  return new PageProblemError(403, 'This form was not sent', text, link);
}

/** A controller of pages for signed-in people; its handlers return JSX. */
export function WebPage(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    ApiExcludeController(),
    GuardedBy(PageGuard),
    UseInterceptors(PageInterceptor),
  );
}

/** A controller of pages for everybody. */
export function PublicPage(path: string): ClassDecorator {
  return applyDecorators(WebPage(path), SetMetadata(PUBLIC_PAGE, true));
}

/** Parameter decorator: the session of a signed-in person. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): Session => {
  const session = sessionOf(context.switchToHttp().getRequest<Request>());
  if (!session) throw new Error('a public page asks for a session');
  return session;
});
