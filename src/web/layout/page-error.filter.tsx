import { Catch } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApiError } from '../../http/errors/api-error.js';
import { ErrorFilter } from '../../http/errors/error.filter.js';
import { requestIdOf } from '../../http/request-id.js';
import { ErrorPage } from './error-page.js';
import { pageNotFound, PageProblem, SignInNeeded } from './page-problem.js';
import { renderPage } from './render-page.js';

/** In either case, as routes are found. */
const NO_PAGES = /^\/(api|assets|docs|health|mcp|metrics|openapi\.|sandbox)/i;

/** Shows a person a page where a program gets an `ErrorResponse`. */
@Catch()
export class PageErrorFilter extends ErrorFilter {
  protected override write(error: ApiError, thrown: unknown, request: Request, response: Response): void {
    if (NO_PAGES.test(request.path)) super.write(error, thrown, request, response);
    else if (thrown instanceof SignInNeeded) askToSignIn(request, response);
    else show(toProblem(error, thrown), request, response);
  }
}

function show(problem: PageProblem, request: Request, response: Response): void {
  const page = <ErrorPage problem={problem} requestId={requestIdOf(response)} />;
  response.status(problem.status).send(renderPage(page, request, response));
}

/** A part of a page is not replaced by the sign-in page: the whole page goes there. */
function askToSignIn(request: Request, response: Response): void {
  const isPart = request.get('hx-request') !== undefined;
  if (isPart) response.status(401).set('HX-Redirect', '/sign-in').end();
  else if (request.method !== 'GET' || request.originalUrl === '/') response.redirect(303, '/sign-in');
  else response.redirect(303, `/sign-in?next=${encodeURIComponent(request.originalUrl)}`);
}

function toProblem(error: ApiError, thrown: unknown): PageProblem {
  if (thrown instanceof PageProblem) return thrown;
  if (error.status === 404) return pageNotFound();
  if (error.code === 'rate_limit_exceeded') return new PageProblem(429, 'Too many requests', error.message);
  if (error.code === 'internal_server_error') {
    return new PageProblem(500, 'Something went wrong', 'Your data are safe. Try again in a moment.');
  }
  return new PageProblem(error.status, 'This request failed', error.message);
}
