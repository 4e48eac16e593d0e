import { html, json, type HttpReply } from '../reply.js';

/** The answer to a claim with a code that is used, withdrawn or unknown. */
export const FORBIDDEN: HttpReply = { status: 403, type: 'text/plain', body: 'Forbidden\n' };

/**
 * The answer of `/accounts` to credentials that are wrong, revoked or disabled. Version 1 comes from a time of error
 * pages.
 */
export function forbidden(version: 1 | 2): HttpReply {
  if (version === 1) return html(403, 'Forbidden');
  return json({ errlist: [{ code: 'gen.auth', msg: 'Forbidden' }], accounts: [], connections: [] }, 403);
}
