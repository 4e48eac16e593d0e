import { CHANGE_KINDS } from '../../src/database/change-log/change.js';
import { noteChanges } from '../../src/database/change-log/note-changes.js';
import { updateBalanceRanges } from '../../src/balances/history/write-history.js';
import type { TestApp } from './app.js';

/** For a test that has written rows past the services: what they keep beside the rows, counted again and noted. */
export async function noteEverything({ em }: Pick<TestApp, 'em'>, userId: string): Promise<void> {
  await em().transactional(async (em) => {
    const accounts = await em.execute<{ id: string }[]>('select id from accounts where user_id = ?', [userId]);
    for (const { id } of accounts) await updateBalanceRanges(em, { userId, id });
    noteChanges(userId, ...CHANGE_KINDS.map((kind) => ({ kind })));
  });
}
