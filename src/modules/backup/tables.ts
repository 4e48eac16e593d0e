import { createHash } from 'node:crypto';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Source, withCopySession } from '../../kit/operate.js';

/**
 * What the text of COPY depends on beside the dates of a session; and on Citus one session per node, so that all its
 * tables are read in one snapshot.
 */
const SETTINGS = [
  `intervalstyle = 'postgres'`,
  `bytea_output = 'hex'`,
  `extra_float_digits = 1`,
  'citus.max_adaptive_executor_pool_size = 1',
];

/** Runs `work` in one transaction. @param signal ends the session, and with it the transaction */
export async function inCopyTransaction<T>(
  { address, settings }: Source,
  isolation: 'repeatable read read only' | 'read committed',
  work: (session: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const inTransaction = async (session: pg.Client) => {
    const local = SETTINGS.map((setting) => `; set local ${setting}`);
    await session.query(`begin isolation level ${isolation}${local.join('')}`);
    const result = await work(session);
    await session.query('commit');
    return result;
  };
  return withCopySession(address, settings, inTransaction, signal);
}

export interface Table {
  name: string;
  /** Without generated columns, which the server computes. */
  columns: string[];
  /** SQL for an order that is the same on every server. */
  order: string[];
}

interface TableRow extends Table {
  refers_to: string[];
}

/**
 * The tables of the current schema, without those of modules, the list of migrations, which a restore writes itself,
 * and unlogged tables, whose rows do not survive a crash of PostgreSQL either.
 */
const TABLES = `
  select c.relname::text as name,
    array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum
    ) as columns,
    array(
      select quote_ident(a.attname) || case when a.attcollation = 0 then '' else ' collate "C"' end
      from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and (i.indrelid is null or a.attnum = any(i.indkey::int2[]))
      order by array_position(i.indkey::int2[], a.attnum), a.attnum
    ) as order,
    array(
      select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
    ) as refers_to
  from pg_class c
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p' and c.relname <> 'migrations'
    and not exists (
      select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
  order by c.relname`;

/** Lists the tables, each after those that its foreign keys refer to. */
export async function listTables(session: pg.ClientBase): Promise<Table[]> {
  const { rows } = await session.query<TableRow>(TABLES);
  const sorted = new Map<string, Table>();
  const add = ({ name, columns, order, refers_to }: TableRow, trail: readonly string[]): void => {
    if (sorted.has(name) || trail.includes(name)) return;
    for (const row of rows) if (refers_to.includes(row.name)) add(row, [...trail, name]);
    sorted.set(name, { name, columns, order });
  };
  for (const row of rows) add(row, []);
  return [...sorted.values()];
}

/** The sequences that have been used. They ignore transactions, so none is behind the rows of a snapshot. */
export async function listSequences(session: pg.ClientBase): Promise<{ name: string; value: string }[]> {
  const { rows } = await session.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  );
  return rows;
}

/** Equal for equal rows, on any server. */
export interface TableDigest {
  name: string;
  columns: string[];
  rows: number;
  /** SHA-256 of the rows as COPY writes them, in the order of their key. */
  digest: string;
}

/** Yields the rows as text, in pieces, and returns their number and digest. */
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
