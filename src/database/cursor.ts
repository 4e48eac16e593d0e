import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient, QueryResultRow } from 'pg';
import { usingSessionsFor } from './sessions/session-limits.js';

const BATCH_ROWS = 200;

export interface Statement {
  text: string;
  values: readonly unknown[];
}

/**
 * The rows of one or more statements, batch by batch and all of one moment, however many there are. The next batch is
 * fetched while one is worked on. Ending the iteration early closes the cursor. Until its end it holds one connection of
 * the pool.
 */
export async function* readByCursor<Row extends QueryResultRow>(
  em: EntityManager,
  ...statements: readonly Statement[]
): AsyncGenerator<Row[], void> {
  const pool = await em.getConnection().getNativeClient();
  const session = await usingSessionsFor('export', () => pool.connect());
  try {
    // One snapshot for all statements.
    await session.query('begin isolation level repeatable read read only');
    for (const statement of statements) yield* readStatement<Row>(session, statement);
  } finally {
    // Queued behind a fetch under way. A session that cannot even do this is not given back to the pool.
    const isIntact = await session.query('rollback').then(
      () => true,
      () => false,
    );
    session.release(!isIntact);
  }
}

async function* readStatement<Row extends QueryResultRow>(
  session: PoolClient,
  { text, values }: Statement,
): AsyncGenerator<Row[], void> {
  const fetchNext = () => session.query<Row>(`fetch ${BATCH_ROWS} from records`);
  await session.query({ text: `declare records no scroll cursor for ${text}`, values: [...values] });
  for (let fetching = fetchNext(), isMore = true; isMore;) {
    const { rows } = await fetching;
    isMore = rows.length === BATCH_ROWS;
    if (isMore) {
      fetching = fetchNext();
      // Whoever stops here never asks how it went.
      fetching.catch(() => undefined);
    }
    if (rows.length > 0) yield rows;
  }
  await session.query('close records');
}
