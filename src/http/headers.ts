import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { isSecure } from './public-address.js';

// Case-insensitive, like routes.
const API = /^\/api(?:\/|$)/i;
const OTHER_PROGRAMS = /^\/(?:mcp|pushes)(?:\/|$)/i;
const DOCUMENT = /^\/openapi\.(?:json|yaml)$/i;

/** Whether programs send the request, which has a key or a signature and no session. */
export function isApiRequest({ path }: Pick<Request, 'path'>): boolean {
  return API.test(path) || OTHER_PROGRAMS.test(path);
}

/** Whether scripts of other origins may send it. Pages use sessions and are closed to them. */
function isOpenToOrigins(request: Request): boolean {
  return isApiRequest(request) || DOCUMENT.test(request.path);
}

/** Whether a page of this service sent it, by its `Origin`. The scheme is left out: a proxy may have ended TLS. */
export function isOwnOrigin(origin: string, { host }: Request): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Whether a request changes nothing. */
export function isSafeMethod({ method }: { method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Any other `OPTIONS` is one of the API, which serves none. */
function isPreflight(request: Request): boolean {
  return request.get('origin') !== undefined && request.get('access-control-request-method') !== undefined;
}

/** Also of what is not compressed, such as 304: RFC 9110 (15.4.5) asks for the `Vary` of the whole answer. */
const VARY = 'Accept-Encoding';

/** Personal data, not to be stored, framed or sniffed. Lists with an entity tag replace `no-store` by `no-cache`. */
const API_HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Vary', `Accept, X-Api-Key, ${VARY}`],
]);

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages use no camera, location or payment, so injected code cannot either. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

const YEAR_SECONDS = 31_536_000;

/** Swagger UI has inline styles, but no inline scripts. */
const POLICY_OF_DOCS = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/**
 * Middleware: what protects an answer. Pages are protected from injected code; answers for programs are no documents and need
 * less. The referrer of pages stays within the site but is not off: without it browsers send forms with `Origin: null`.
 */
export function protectAnswer(request: Request, response: Response, next: NextFunction): void {
  if (isApiRequest(request)) response.setHeaders(API_HEADERS);
  else {
    response.set({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Security-Policy': request.path.startsWith('/docs') ? POLICY_OF_DOCS : POLICY,
      'Permissions-Policy': PERMISSIONS,
      'Referrer-Policy': 'same-origin',
      Vary: VARY,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
  }
  // A browser that used https once never falls back to http.
  if (isSecure(request)) response.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
  next();
}

const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Lets pages of these origins call the API with a key. Their cookies are never accepted. */
export function allowOrigins(app: NestExpressApplication, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const options = {
    origin: [...origins],
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // Without cookies it means all of them. Those of requests are allowed as they are asked for.
    exposedHeaders: '*',
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  };
  app.enableCors((request: Request, callback: (error: Error | null, options: object) => void) => {
    const open = { ...options, preflightContinue: !isPreflight(request) };
    callback(null, isOpenToOrigins(request) ? open : { origin: false });
  });
}
