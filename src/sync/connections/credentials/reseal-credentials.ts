import type { ClientBase, QueryResultRow } from 'pg';
import type { Part, SealedTable } from '../../../platform/module.js';
import { credentialOwner, type CredentialVault, keyIdOf } from '../../../platform/vault/credential-vault.js';

const BATCH_ROWS = 500;

/** How many credentials each key has sealed, by the key's id. */
export type SealedWith = Record<string, number>;

/** The result of resealing. */
interface Resealed {
  /** How many were resealed. */
  sealed: number;
  /** How many no available secret unseals. */
  left: number;
}

const CONNECTIONS = 'connections';

/** Tables with sealed secrets, once the parts are declared. */
const SEALED_TABLES: SealedTable[] = [
  { table: CONNECTIONS, text: 'connections' },
  { table: 'second_factors', text: 'second factors' },
];

/** Adds those of these parts. Those that are known are known already. */
export function declareSealedTables(parts: readonly Part[]): void {
  const added = parts.flatMap(({ sealed = [] }) => sealed);
  SEALED_TABLES.push(...added.filter((one) => !SEALED_TABLES.includes(one)));
}

/** A session, or a transaction of Kysely. Raw, because a session of its own has no builder. */
export interface Statements {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** The sealed tables of the schema; that of a backup may be older. */
export async function sealedTables(session: Statements): Promise<SealedTable[]> {
  const { rows } = await session.query<{ name: string }>(
    'select name from unnest($1::text[]) name where to_regclass(name) is not null',
    [SEALED_TABLES.map(({ table }) => table)],
  );
  return SEALED_TABLES.filter(({ table }) => rows.some(({ name }) => name === table));
}

export async function countSealedWith(session: ClientBase): Promise<SealedWith> {
  const counts: SealedWith = {};
  for (const { table } of await sealedTables(session)) {
    const { rows } = await session.query<{ key_id: string; count: number }>(`
      select split_part(credential, '.', 2) as key_id, count(*)::integer as count
      from ${table} where credential like 'v1.%.%' group by 1 order by 1`);
    for (const { key_id, count } of rows) counts[key_id] = (counts[key_id] ?? 0) + count;
  }
  return counts;
}

/** Counts the secrets that the vault cannot unseal, by what they are. */
export async function countLostByTable(session: ClientBase, { keyIds }: CredentialVault): Promise<[string, number][]> {
  const counts: [string, number][] = [];
  for (const { table, text } of await sealedTables(session)) {
    const { rows } = await session.query<{ count: number }>(
      `select count(*)::integer as count from ${table}
       where credential like 'v1.%.%' and split_part(credential, '.', 2) <> all($1)`,
      [keyIds],
    );
    if (rows[0]!.count > 0) counts.push([text, rows[0]!.count]);
  }
  return counts;
}

/** How many of them the vault cannot unseal. */
export function countLost(sealedWith: SealedWith, { keyIds }: CredentialVault): number {
  const lost = Object.entries(sealedWith).filter(([keyId]) => !keyIds.includes(keyId));
  return lost.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * Reseals every credential of an older secret with the newest one. Other instances and persons may change rows meanwhile, so
 * a row is written only if it is unchanged.
 *
 * @param from unseals the credentials
 * @param to seals them
 */
export async function resealCredentials(
  session: ClientBase,
  from: CredentialVault,
  to: CredentialVault = from,
): Promise<Resealed> {
  const result: Resealed = { sealed: 0, left: 0 };
  for (const table of await sealedTables(session)) await resealTable(session, { table, from, to }, result);
  return result;
}

interface Task {
  table: SealedTable;
  from: CredentialVault;
  to: CredentialVault;
}

async function resealTable(session: ClientBase, task: Task, result: Resealed): Promise<void> {
  const newest = task.to.keyIds[0];
  for (let after: [string, string] | null = null; ;) {
    const rows: SealedRow[] = await readBatch(session, task.table, newest, after);
    for (const row of rows) {
      if (!task.from.keyIds.includes(keyIdOf(row.credential))) result.left++;
      else if (await reseal(session, row, task)) result.sealed++;
    }
    const last = rows.at(-1);
    if (!last) return;
    after = [last.user_id, last.id];
  }
}

interface SealedRow {
  user_id: string;
  id: string;
  credential: string;
}

async function readBatch(
  session: ClientBase,
  { table }: SealedTable,
  newest: string,
  after: [string, string] | null,
): Promise<SealedRow[]> {
  const { rows } = await session.query<SealedRow>(
    `select user_id, id, credential from ${table}
     where credential like 'v1.%.%' and split_part(credential, '.', 2) <> $1
       and ($2::uuid is null or (user_id, id) > ($2, $3::uuid))
     order by user_id, id limit ${BATCH_ROWS}`,
    [newest, ...(after ?? [null, null])],
  );
  return rows;
}

/** @returns whether the row was unchanged and is written */
async function reseal(session: ClientBase, row: SealedRow, { table, from, to }: Task): Promise<boolean> {
  const { user_id: userId, id, credential } = row;
  const owner = credentialOwner({ userId, id });
  const opened = from.open(credential, owner);
  const hasFingerprint = table.table === CONNECTIONS;
  const { rowCount } = await session.query(
    `update ${table.table} set credential = $4 ${hasFingerprint ? ', credential_fingerprint = $5' : ''}
     where user_id = $1 and id = $2 and credential = $3`,
    [userId, id, credential, to.seal(opened, owner), ...(hasFingerprint ? [to.fingerprints(opened)[0]] : [])],
  );
  return rowCount === 1;
}
