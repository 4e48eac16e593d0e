import type { Request } from 'express';

/** Whether a request is for the API. Routes are found in either case, so this must be, too. */
export function isApiRequest({ path }: Request): boolean {
  return /^\/api\//i.test(path);
}
