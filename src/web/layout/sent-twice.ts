import { DomainError } from '../../errors/domain-error.js';

/** For a form that removes something: sent twice, it finds nothing to remove, and the page that follows shows just that. */
export function ignoreRemoved(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'record_not_found') throw error;
}
