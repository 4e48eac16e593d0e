import pg from 'pg';
import { type CommandContext, RefusedError } from '../../kit.js';
import { readCliConfigInUse, waitUntil, withDatabase, withPlainSession } from '../../kit/operate.js';

/** Where Citus stores the rows of a table. */
type Placement =
  /** All of them on every node. */
  | 'everywhere'
  /** Those of a person on one node, next to what other tables have of the same person. */
  | 'by person'
  /** All of them on the coordinator. */
  | 'coordinator';

interface PlacedTable {
  name: string;
  placement: Placement;
  rows: number;
}

/** Small, rarely written, and joined with the tables of all nodes. */
const EVERYWHERE: readonly string[] = ['users', 'feed_epoch'];

/**
 * Tables that are searched before the person is known, and tables that refer to these. Distributed by person, each search
 * would ask all nodes. They are small, and their triggers notify the instances, which listen at the coordinator.
 */
const ON_COORDINATOR: readonly string[] = [
  'api_keys',
  'sessions',
  'invitations',
  'second_factors',
  'recovery_codes',
  'audit_events',
];

/** The table that the others are placed next to. */
const FIRST = 'user_revisions';

/** A session that has just ended may still be listed for a while. */
const SESSION_END_MS = 3_000;
const POLL_MS = 100;

interface Table {
  name: string;
  wanted: Placement;
  now: Placement;
}

const TABLES = `
  select c.relname::text as name,
    case when c.relname = any($1) then 'everywhere' when c.relname <> all($2) and exists (
      select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
    ) then 'by person' else 'coordinator' end as wanted,
    case when d.partmethod = 'h' then 'by person' when d.partmethod = 'n' and d.repmodel = 't' then 'everywhere'
      else 'coordinator' end as now
  from pg_class c left join pg_dist_partition d on d.logicalrelid = c.oid
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select 1 from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
  order by c.relname <> $3, c.relname`;

const BY_PERSON = `select create_distributed_table($1, 'user_id', colocate_with => $2)`;

interface ForeignKey {
  name: string;
  table: string;
  definition: string;
}

const FOREIGN_KEYS = `
  select conname::text as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))
  order by 2, 1`;

/** Distributes the database of DATABASE_URL in one transaction. Whoever uses the tables waits for its end. */
export async function distributeDatabase({ lifecycle, modules }: CommandContext): Promise<object> {
  const config = await readCliConfigInUse(modules);
  const inTransaction = async (session: pg.Client) => {
    await session.query('begin');
    const tables = await distribute(session);
    await session.query('commit');
    return { tables };
  };
  const distribution = withDatabase('writes', config, lifecycle, (address) =>
    withPlainSession(address, config.database, inTransaction, 'migration'),
  );
  return lifecycle.unlessStopping(distribution);
}

/**
 * Distributes the tables of one database over the nodes of Citus, in the open transaction: all of them or none. What is
 * distributed already stays as it is, so that it can be repeated after an upgrade that adds tables.
 *
 * @throws RefusedError
 */
export async function distribute(session: pg.ClientBase): Promise<PlacedTable[]> {
  if ((await session.query(`select 1 from pg_extension where extname = 'citus'`)).rowCount === 0) {
    throw new RefusedError(
      'The database does not have the extension citus: install it on every node, and see docs/inside/scaling.md.',
    );
  }
  const { rows: tables } = await session.query<Table>(TABLES, [EVERYWHERE, ON_COORDINATOR, FIRST]);
  if (!tables.some(({ name }) => name === 'users')) {
    throw new RefusedError('There is nothing to distribute: Tidemark has not used this database yet.');
  }
  await refuseWithoutNodes(session);
  const moved = tables.filter(({ wanted, now }) => wanted !== now);
  const counts = new Map<string, number>();
  if (moved.length > 0) {
    await refuseOtherSessions(session);
    await session.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    const names = tables.map(({ name }) => pg.escapeIdentifier(name));
    await session.query(`lock table ${names.join(', ')} in access exclusive mode`);
    for (const { name } of moved) counts.set(name, await countRows(session, name));
    await place(session, moved);
    for (const [name, count] of counts) {
      const now = await countRows(session, name);
      if (now !== count) throw new Error(`${name} had ${count} rows before it was distributed and has ${now} after`);
    }
  }
  const placed: PlacedTable[] = [];
  for (const { name, wanted } of tables) {
    placed.push({ name, placement: wanted, rows: counts.get(name) ?? (await countRows(session, name)) });
  }
  return placed;
}

async function refuseWithoutNodes(session: pg.ClientBase): Promise<void> {
  const { rows } = await session.query<{ coordinator: boolean; workers: boolean }>(`
    select coalesce(bool_or(groupid = 0), false) as coordinator, coalesce(bool_or(groupid <> 0), false) as workers
    from pg_dist_node where isactive and noderole = 'primary'`);
  const { coordinator, workers } = rows[0]!;
  if (coordinator && workers) return;
  throw new RefusedError(
    coordinator
      ? 'Citus knows no worker: add each with citus_add_node(host, port).'
      : 'Citus does not know its coordinator: tell it with citus_set_coordinator_host(host, port).',
  );
}

/** Other sessions would continue with plans for undistributed tables. */
async function refuseOtherSessions(session: pg.ClientBase): Promise<void> {
  let others = 0;
  const isAlone = async () => (others = await othersOf(session)) === 0;
  if (await waitUntil(isAlone, SESSION_END_MS, POLL_MS)) return;
  throw new RefusedError(
    `The database is in use by ${others} other ${others === 1 ? 'session' : 'sessions'}: stop all instances and other programs first.`,
  );
}

async function othersOf(session: pg.ClientBase): Promise<number> {
  // Otherwise a transaction keeps the list of sessions that it has read first.
  await session.query('select pg_stat_clear_snapshot()');
  const { rows } = await session.query<{ others: number }>(`
    select count(*)::integer as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usename is not null
      and coalesce(application_name, '') not like 'citus_internal%' and coalesce(backend_type, 'client backend') = 'client backend'`);
  return rows[0]!.others;
}

async function place(session: pg.ClientBase, moved: readonly Table[]): Promise<void> {
  // A key between a table that is distributed and one that is not yet is refused.
  const all = moved.map(({ name }) => pg.escapeIdentifier(name));
  const { rows: keys } = await session.query<ForeignKey>(FOREIGN_KEYS, [all]);
  for (const { name, table } of keys) {
    await session.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`);
  }
  for (const { name, wanted } of moved) {
    const table = pg.escapeIdentifier(name);
    // The trigger would run on every node. The statements that change users notify, too.
    if (name === 'users') await session.query('drop trigger if exists users_news on users');
    if (wanted === 'everywhere') await session.query('select create_reference_table($1)', [table]);
    else await session.query(BY_PERSON, [table, name === FIRST ? 'none' : FIRST]);
  }
  // Citus has copied the rows and left the old ones, which nothing reads any more.
  for (const name of all) await session.query('select truncate_local_data_after_distributing_table($1)', [name]);
  for (const { name, table, definition } of keys) {
    await session.query(
      `alter table ${table} add constraint ${pg.escapeIdentifier(name)} ${withoutRefused(definition)}`,
    );
  }
}

/**
 * Citus supports neither `on delete set null` nor `on update cascade` in keys with the distribution column. Our
 * statements do both: they clear the columns before the referenced row is deleted, and follow after it has moved, which
 * is why the check is deferred.
 */
function withoutRefused(definition: string): string {
  return definition
    .replace(/ ON DELETE SET NULL( \([^)]*\))?/, '')
    .replace(/ ON UPDATE CASCADE(.*)/, '$1 DEFERRABLE INITIALLY DEFERRED');
}

async function countRows(session: pg.ClientBase, name: string): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    `select count(*)::float8 as count from ${pg.escapeIdentifier(name)}`,
  );
  return rows[0]!.count;
}
