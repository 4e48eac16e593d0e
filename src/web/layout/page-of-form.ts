import type { Request } from 'express';
import { allowedMethods } from '../../http/errors/allowed-methods.js';

/** What of a form is put into the address of its page, so that it is not typed twice. Never a password or credential. */
const KEPT_FIELDS: Record<string, readonly string[]> = {
  '/keys': ['name', 'preset', 'scopes', 'expiry'],
  '/connections/new': ['provider', 'name'],
};
const MAX_KEPT_CHARS = 2_000;

/** The page that has the form of an address: the nearest one above it that can be looked at. */
export function pageOfForm(request: Request): string {
  for (let { path } = request; path.length > 1; path = path.slice(0, path.lastIndexOf('/'))) {
    if (allowedMethods(request, path).includes('GET')) return path;
  }
  return '/';
}

/** The same with what was typed, where that can be shown again. */
export function pageWithTypedFields(request: Request): string {
  const page = pageOfForm(request);
  const body = (request.body ?? {}) as Record<string, unknown>;
  const typed = new URLSearchParams();
  for (const name of KEPT_FIELDS[page] ?? []) {
    for (const value of [body[name]].flat()) if (typeof value === 'string' && value) typed.append(name, value);
  }
  const query = typed.toString();
  return query && query.length <= MAX_KEPT_CHARS ? `${page}?${query}` : page;
}
