import type { NextFunction, Request, Response } from 'express';

const FOR_PROGRAMS = /^\/(?:api|mcp)(?:\/|$)/i;

/**
 * The headers of every API answer: personal data, not to be stored, framed or sniffed. Lists with an entity tag replace
 * `no-store` by `no-cache`.
 */
export function apiHeaders(request: Request, response: Response, next: NextFunction): void {
  if (FOR_PROGRAMS.test(request.path)) {
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept, X-Api-Key',
    });
  }
  next();
}
