import { inBatches } from '../prune.js';

/** The tables of the log have no entities. Revisions are text, as the driver gives them. */
interface Tables {
  changes: { user_id: string; revision: string };
  revisions: { user_id: string; revision: string; committed_at: Date; batch_id: string | null };
  user_revisions: { user_id: string; floor: string };
  balance_versions: { user_id: string; batch_id: string };
}

/**
 * Deletes the log of a person before a time. The same transaction raises the floor, which invalidates older cursors.
 * Records do not change.
 */
export const pruneChangeLog = inBatches(async (em, userId, before, limit) => {
  const kysely = em.getKysely<Tables>();
  const { floor, count } = await kysely
    .selectFrom((eb) =>
      eb
        .selectFrom('revisions as r')
        .innerJoin('user_revisions as known', 'known.user_id', 'r.user_id')
        .select('r.revision')
        .where('r.user_id', '=', userId)
        .whereRef('r.revision', '>', 'known.floor')
        .where('r.committed_at', '<', before)
        .orderBy('r.revision')
        .limit(limit)
        .as('old'),
    )
    .select(({ fn }) => [fn.max('old.revision').as('floor'), fn.countAll<string>().as('count')])
    .executeTakeFirstOrThrow();
  if (floor === null) return 0;
  await kysely.deleteFrom('changes').where('user_id', '=', userId).where('revision', '<=', floor).execute();
  // A revision stays while a stored version of a balance refers to it.
  await kysely
    .deleteFrom('revisions as r')
    .where('r.user_id', '=', userId)
    .where('r.revision', '<=', floor)
    .where((eb) => {
      const kept = eb.selectFrom('balance_versions as kept').select('kept.batch_id');
      return eb.not(eb.exists(kept.where('kept.user_id', '=', userId).whereRef('kept.batch_id', '=', 'r.batch_id')));
    })
    .execute();
  // Last, since every writer for the person waits for this row.
  await kysely
    .updateTable('user_revisions')
    .set((eb) => ({ floor: eb.fn<string>('greatest', ['floor', eb.val(floor)]) }))
    .where('user_id', '=', userId)
    .execute();
  return Number(count);
});
