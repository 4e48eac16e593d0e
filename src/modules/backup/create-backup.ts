import type { WriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import tar from 'tar-stream';
import { VERSION } from '../../kit.js';
import { type CredentialVault, type ExecutedMigration, readMigrations, type Source } from '../../kit/operate.js';
import { BackupRefusedError, FOLDER, FORMAT, type Manifest, MANIFEST_NAME, signedText } from './backup-file.js';
import type { SealedSecret } from './sealed-secret.js';
import { copyTable, inCopyTransaction, listSequences, listTables, type Table, type TableDigest } from './tables.js';

const PART_BYTES = 4 * 1024 * 1024;
/** Fast enough to keep up with a disk; a higher level saves a tenth of the size and takes twice as long. */
const GZIP_LEVEL = 4;
const OWNER_ONLY = 0o600;

interface WrittenBackup {
  path: string;
  bytes: number;
  manifest: Manifest;
}

/**
 * Writes the whole database to a file, from one snapshot, while others read and write. The file has a temporary name until
 * it is complete and on disk, by which two backups to one name also exclude each other.
 *
 * @param vault signs the file
 * @param secret is included; `null`: credentials can be unsealed only where the APP_SECRET is known
 * @throws BackupRefusedError when the database is empty, or the file exists already or cannot be written
 */
export async function createBackup(
  source: Source,
  path: string,
  vault: CredentialVault,
  secret: SealedSecret | null = null,
  signal?: AbortSignal,
): Promise<WrittenBackup> {
  const partial = `${path}.partial`;
  const file = await open(partial, 'wx', OWNER_ONLY).catch((error: unknown) => {
    throw refusal(error, path);
  });
  try {
    await refuseTaken(path);
    const write = (session: pg.Client) =>
      writeArchive(file.createWriteStream({ flush: true }), session, vault, secret, signal);
    const manifest = await inCopyTransaction(source, 'repeatable read read only', write, signal);
    const { size: bytes } = await stat(partial);
    await rename(partial, path);
    return { path, bytes, manifest };
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw refusal(error, path);
  }
}

async function refuseTaken(path: string): Promise<void> {
  const isFree = await stat(path).then(
    () => false,
    () => true,
  );
  if (!isFree) throw new BackupRefusedError(`${path} exists already: choose another name, or remove it.`);
}

function refusal(error: unknown, path: string): unknown {
  if (!isFromFileSystem(error)) return error;
  return new BackupRefusedError(
    error.code === 'EEXIST'
      ? `${path}.partial exists: another backup is being written to it, or was interrupted; then remove it.`
      : `${path} cannot be written (${error.code}).`,
  );
}

function isFromFileSystem(error: unknown): error is NodeJS.ErrnoException {
  const { syscall = '' } = error as NodeJS.ErrnoException;
  return ['open', 'write', 'fsync', 'close', 'rename', 'stat'].includes(syscall);
}

async function writeArchive(
  file: WriteStream,
  session: pg.Client,
  vault: CredentialVault,
  secret: SealedSecret | null,
  signal?: AbortSignal,
): Promise<Manifest> {
  const migrations = await readMigrations(session);
  if (migrations.length === 0)
    throw new BackupRefusedError('There is nothing to back up: Tidemark has not used this database yet.');
  const archive = tar.pack();
  const stored = pipeline(archive, file, { signal });
  // Whoever adds the next member hears of it; until then nobody listens.
  stored.catch(() => undefined);
  const add: AddMember = (name, content) => Promise.race([addMember(archive, name, content), stored]);
  try {
    const digests: TableDigest[] = [];
    for (const table of await listTables(session)) digests.push(await addTable(session, table, add));
    const unsigned = await describe(session, migrations, digests, secret);
    const manifest = { ...unsigned, signature: vault.sign(signedText(unsigned)) };
    await add(MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)));
    archive.finalize();
    await stored;
    return manifest;
  } catch (error) {
    archive.destroy();
    // A full disk also makes the next member fail, with a less useful error.
    const [outcome] = await Promise.allSettled([stored]);
    throw outcome.status === 'rejected' && isFromFileSystem(outcome.reason) ? outcome.reason : error;
  }
}

type AddMember = (name: string, content: Buffer) => Promise<void>;

/** Resolves when the archive can take more. */
function addMember(archive: tar.Pack, name: string, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const header = { name: FOLDER + name, mode: OWNER_ONLY };
    archive.entry(header, content, (error) => (error ? reject(error) : resolve()));
  });
}

/** Adds the rows of a table, a file for every few MiB. */
async function addTable(session: pg.Client, table: Table, add: AddMember): Promise<TableDigest> {
  const pieces = copyTable(session, table);
  let part: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  const addPart = async () => {
    const name = `${table.name}.${String(++number).padStart(4, '0')}.copy.gz`;
    await add(name, await promisify(gzip)(Buffer.concat(part), { level: GZIP_LEVEL }));
    part = [];
    bytes = 0;
  };
  let next = await pieces.next();
  while (!next.done) {
    part.push(next.value);
    bytes += next.value.length;
    if (bytes >= PART_BYTES) await addPart();
    next = await pieces.next();
  }
  if (bytes > 0) await addPart();
  return next.value;
}

async function describe(
  session: pg.ClientBase,
  migrations: readonly ExecutedMigration[],
  tables: TableDigest[],
  secret: SealedSecret | null,
): Promise<Omit<Manifest, 'signature'>> {
  const { rows: about } = await session.query<{ server: string; now: Date }>(
    `select current_setting('server_version') as server, now() as now`,
  );
  const { server, now } = about[0]!;
  return {
    format: FORMAT,
    program: VERSION,
    server,
    createdAt: now.toISOString(),
    migrations: migrations.map(({ name }) => name),
    modules: Object.fromEntries(migrations.flatMap(({ name, module }) => (module ? [[name, module]] : []))),
    tables,
    sequences: await listSequences(session),
    secret,
  };
}
