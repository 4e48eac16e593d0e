import type { Request } from 'express';

/** A proxy in front says so in a header; a client that lies about it only harms itself. */
export function isHttps(request: Request): boolean {
  return request.secure || request.get('x-forwarded-proto') === 'https';
}

/** The address the browser knows this service by, without a slash at its end. */
export function originOf(request: Request): string {
  return `${isHttps(request) ? 'https' : 'http'}://${request.get('host')}`;
}
