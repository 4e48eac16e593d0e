import type { Request } from 'express';

/** The origin by which the browser reaches this service. */
export function originOf(request: Request): string {
  return `${request.secure ? 'https' : 'http'}://${request.host}`;
}
