import type { Request } from 'express';

/** The address the browser knows this service by, without a slash at its end. */
export function originOf(request: Request): string {
  const isHttps = request.secure || request.get('x-forwarded-proto') === 'https';
  return `${isHttps ? 'https' : 'http'}://${request.get('host')}`;
}
