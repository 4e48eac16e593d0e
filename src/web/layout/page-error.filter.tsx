import { Catch } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApiError, ErrorCode } from '../../http/errors/api-error.js';
import { ErrorFilter } from '../../http/errors/error.filter.js';
import { basePathOf } from '../../http/public-address.js';
import { requestIdOf } from '../../platform/request-context.js';
import { isSafeMethod } from '../../http/headers.js';
import { Document } from './document.js';
import { pageOfForm, PageProblemError, SignInNeededError } from './page-reply.js';
import { renderPage } from './render-page.js';

/** It is sent in a header, which may have a few kilobytes. */
const MAX_ADDRESS_CHARS = 2_000;

/** Case-insensitive, like routes. */
const NO_PAGES = /^\/(api|assets|docs|health|mcp|metrics|pushes|openapi\.|sandbox)/i;

/** Shows errors as pages to people, and as an `ErrorResponse` to programs. */
@Catch()
export class PageErrorFilter extends ErrorFilter {
  protected override write(error: ApiError, thrown: unknown, request: Request, response: Response): void {
    if (NO_PAGES.test(request.path)) super.write(error, thrown, request, response);
    else if (thrown instanceof SignInNeededError) askToSignIn(thrown, request, response);
    else if (thrown instanceof PageProblemError) show(thrown, request, response);
    // The address of a form, reloaded or typed.
    else if (error.code === 'method_not_allowed' && isSafeMethod(request)) {
      response.redirect(303, pageOfForm(request));
    } else show(toProblem(error), request, response);
  }
}

function show(problem: PageProblemError, request: Request, response: Response): void {
  const page = <ErrorPage problem={problem} requestId={requestIdOf(response)} />;
  response.status(problem.status).send(renderPage(page, request, response));
}

/** A part of a page redirects the whole page to the sign-in page. */
function askToSignIn({ hadSession }: SignInNeededError, request: Request, response: Response): void {
  const query = new URLSearchParams();
  const isPart = request.get('hx-request') !== undefined;
  const isForm = !isSafeMethod(request);
  const next = isForm ? pageOfForm(request) : isPart ? pageOfPart(request) : request.originalUrl;
  if (next !== '/' && next.length <= MAX_ADDRESS_CHARS) query.set('next', next);
  // To sign out is the one form that an ended session carries out.
  if (isForm && request.path !== '/sign-out') query.set('notice', 'unsaved');
  else if (hadSession || isForm) query.set('notice', 'ended');
  const address = query.size > 0 ? `/sign-in?${query.toString()}` : '/sign-in';
  if (isPart)
    response
      .status(401)
      .set('HX-Redirect', basePathOf(request) + address)
      .end();
  else response.redirect(303, address);
}

/** The page that asked for a part of itself. */
function pageOfPart(request: Request): string {
  const page = request.get('hx-current-url') ?? '';
  if (!URL.canParse(page)) return '/';
  const base = basePathOf(request);
  const { host, pathname, search } = new URL(page);
  return host === request.host && pathname.startsWith(`${base}/`) ? pathname.slice(base.length) + search : '/';
}

const UNREADABLE = { title: 'This could not be read', text: 'Go back, reload the page and send it again.' };

/** For people, who know of no requests. Without a text, the message of the error is shown. */
const WORDS: Partial<Record<ErrorCode, { title: string; text?: string }>> = {
  rate_limit_exceeded: { title: 'Too many requests' },
  unavailable: { title: 'Not available right now' },
  bad_request: UNREADABLE,
  unsupported_media_type: UNREADABLE,
  payload_too_large: { title: 'This is too large', text: 'Go back, shorten the text and send it again.' },
  record_not_found: { title: 'Page not found', text: 'It may have moved, or what it showed was deleted.' },
  internal_server_error: {
    title: 'Something went wrong',
    text: 'Try again in a moment. If it fails again, tell the operator the number below.',
  },
};

function toProblem({ code, status, message }: ApiError): PageProblemError {
  const { title, text } = WORDS[code] ?? { title: 'This request failed' };
  return new PageProblemError(status, title, text ?? message);
}

function ErrorPage({ problem, requestId }: { problem: PageProblemError; requestId: string }) {
  const { href, text } = problem.link;
  return (
    <Document title={problem.title}>
      <section class="notice-page">
        <p class="figure quiet">{problem.status}</p>
        <h1>{problem.title}</h1>
        <p>{problem.message}</p>
        <p>
          <a class="button" href={href}>
            {text}
          </a>
        </p>
        {problem.status >= 500 && (
          <p class="quiet small">
            Request number <code>{requestId}</code>
          </p>
        )}
      </section>
    </Document>
  );
}
