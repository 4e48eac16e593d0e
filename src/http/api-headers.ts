import type { NextFunction, Request, Response } from 'express';

/**
 * The headers of every API answer: personal data, not to be stored, framed or sniffed. Lists with an entity tag replace
 * `no-store` by `no-cache`.
 */
export function apiHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept, X-Api-Key',
  });
  next();
}
