import type { Request } from 'express';

/** The address the browser knows this service by, without a slash at its end. */
export function originOf(request: Request): string {
  return `${request.secure ? 'https' : 'http'}://${request.host}`;
}
