import { createHash } from 'node:crypto';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Table } from './tables.js';

/** What shows that two tables hold the same rows, on whichever servers. */
export interface TableDigest {
  name: string;
  columns: string[];
  rows: number;
  /** SHA-256 of the rows as COPY writes them, in the order of their key. */
  digest: string;
}

/** The rows as text, in pieces; ends with how many they were and their digest. */
export async function* copyTable(
  session: pg.ClientBase,
  { name, columns, order }: Table,
): AsyncGenerator<Buffer, TableDigest> {
  const hash = createHash('sha256');
  const copy = session.query(
    copyTo(
      `copy (select ${identifiers(columns)} from ${pg.escapeIdentifier(name)} order by ${order.join(', ')}) to stdout`,
    ),
  );
  for await (const piece of copy as AsyncIterable<Buffer>) {
    hash.update(piece);
    yield piece;
  }
  // The number of rows comes after the last row.
  await session.query('select');
  return { name, columns, rows: copy.rowCount, digest: hash.digest('hex') };
}

export async function digestTable(session: pg.ClientBase, table: Table): Promise<TableDigest> {
  const pieces = copyTable(session, table);
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return value;
  }
}

export function identifiers(names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join(', ');
}
