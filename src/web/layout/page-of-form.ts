import type { Request } from 'express';
import { allowedMethods } from '../../http/errors/to-api-error.js';

/** The page that has the form of an address: the nearest one above it that can be looked at. */
export function pageOfForm(request: Request): string {
  for (let { path } = request; path.length > 1; path = path.slice(0, path.lastIndexOf('/'))) {
    if (allowedMethods(request, path).includes('GET')) return path;
  }
  return '/';
}
