import type { NextFunction, Request, Response } from 'express';
import { isApiRequest } from '../../http/api-headers.js';

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
 * Protects pages from injected code. API answers are no documents and need none of it. The referrer stays within the
 * site but is not off: without it browsers send forms with `Origin: null`.
 */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  if (!isApiRequest(request)) {
    response.set({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Security-Policy': request.path.startsWith('/docs') ? POLICY_OF_DOCS : POLICY,
      'Permissions-Policy': PERMISSIONS,
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
  }
  // A browser that used https once never falls back to http.
  if (request.secure) response.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
  next();
}
