import { ApiError } from '../../http/errors/api-error.js';

/** For a form that removes something: sent twice, it finds nothing to remove, and the page that follows shows just that. */
export function ignoreRemoved(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'record_not_found') throw error;
}
