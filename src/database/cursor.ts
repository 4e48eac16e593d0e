import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryResultRow } from 'pg';

const BATCH_ROWS = 500;

export interface Statement {
  text: string;
  values: readonly unknown[];
}

/**
 * The rows of a statement, batch by batch and all of one moment, however many there are. Ending the iteration early
 * closes the cursor. Until its end it holds a connection of the pool.
 */
export async function* readByCursor<Row extends QueryResultRow>(
  em: EntityManager,
  { text, values }: Statement,
): AsyncGenerator<Row[], void> {
  const pool = await em.getConnection().getNativeClient();
  const session = await pool.connect();
  let isIntact = false;
  try {
    await session.query('begin read only');
    await session.query({ text: `declare records no scroll cursor for ${text}`, values: [...values] });
    for (let isMore = true; isMore;) {
      const { rows } = await session.query<Row>(`fetch ${BATCH_ROWS} from records`);
      isMore = rows.length === BATCH_ROWS;
      isIntact = true;
      if (rows.length > 0) yield rows;
      isIntact = isMore;
    }
    isIntact = true;
  } finally {
    // A session that failed is not given back to the pool.
    await session.query('rollback').catch(() => (isIntact = false));
    session.release(!isIntact);
  }
}
