import type { NextFunction, Request, Response } from 'express';

/**
 * What every answer to programs says to browsers and caches: data of one person, shown as what it is, kept by nobody.
 * Lists that can be validated say `no-cache` instead of `no-store`.
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
