import type { Account } from '../../accounts/account.entity.js';
import { noteChanges } from '../../change-log/note-changes.js';

/** Notes that transactions of an account were added, changed or removed. */
export function noteTransactions({ userId, id }: Pick<Account, 'userId' | 'id'>, ids: readonly string[]): void {
  if (ids.length > 0) noteChanges(userId, { kind: 'transactions', accountId: id, ids });
}
