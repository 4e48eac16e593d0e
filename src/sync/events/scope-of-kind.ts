import type { Scope } from '../../auth/scopes.js';
import type { ChangeKind } from '../../change-log/change.js';

/** The scope that reads a kind of record. */
export function scopeOfKind(kind: ChangeKind): Scope {
  return `${kind === 'syncs' ? 'connections' : kind}:read`;
}
