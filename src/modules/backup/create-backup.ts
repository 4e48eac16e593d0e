import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import tar from 'tar-stream';
import { VERSION } from '../../platform/config/version.js';
import { countSealedWith } from '../../sync/connections/credentials/reseal-credentials.js';
import type { Source } from '../../database/address.js';
import { type ExecutedMigration, readMigrations } from '../../database/schema-state.js';
import { CredentialVault } from '../../platform/vault/credential-vault.js';
import {
  BackupRefusedError,
  FOLDER,
  FORMAT,
  type Manifest,
  MANIFEST_NAME,
  type SealedSecret,
  signedText,
} from './backup-file.js';
import { inCopyTransaction } from './copy-session.js';
import { copyTable, listSequences, listTables, type Table, type TableDigest } from './tables.js';

const PART_BYTES = 4 * 1024 * 1024;
/** Fast enough to keep up with a disk; a higher level saves a tenth of the size and takes twice as long. */
const GZIP_LEVEL = 4;
const OWNER_ONLY = 0o600;

/** What a file system without links answers, such as that of a USB stick. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const PARTIAL_NAME = /^tidemark-backup\.[\da-f-]{36}\.partial$/;
/** An unfinished file of this age was left by a killed process. */
const ABANDONED_MS = 24 * 3_600_000;

interface WrittenBackup {
  path: string;
  bytes: number;
  manifest: Manifest;
}

/**
 * Writes the whole database to a file, from one snapshot, while others read and write. The file has a temporary name until
 * it is complete and on disk. An unfinished file is removed, and so is what killed processes have left in the folder.
 *
 * @param vault signs the file
 * @param secret is included; `null`: credentials can be unsealed only where the APP_SECRET is known
 * @throws BackupRefusedError when the database is empty, or the file exists already or cannot be written
 */
export async function createBackup(
  { address, settings }: Source,
  path: string,
  vault: CredentialVault,
  secret: SealedSecret | null = null,
  signal?: AbortSignal,
): Promise<WrittenBackup> {
  // Asked for before anything is read; the link below asks again.
  if (await exists(path)) throw taken(path);
  const partial = join(dirname(path), `tidemark-backup.${randomUUID()}.partial`);
  const snapshot = 'isolation level repeatable read read only';
  const write = (session: pg.Client) => writeArchive(partial, session, vault, secret, signal);
  try {
    const manifest = await inCopyTransaction(address, settings, snapshot, write, signal);
    const { size: bytes } = await stat(partial);
    // Unlike a rename, a link never overwrites what another backup has written meanwhile.
    await link(partial, path).catch((error: NodeJS.ErrnoException) => {
      if (!WITHOUT_LINKS.has(error.code)) throw error;
      return rename(partial, path);
    });
    await syncFolder(dirname(path));
    await removeAbandoned(path).catch(() => undefined);
    return { path, bytes, manifest };
  } catch (error) {
    if (!isFromFileSystem(error)) throw error;
    throw error.code === 'EEXIST' ? taken(path) : new BackupRefusedError(`${path} cannot be written (${error.code}).`);
  } finally {
    await rm(partial, { force: true });
  }
}

async function writeArchive(
  file: string,
  session: pg.Client,
  vault: CredentialVault,
  secret: SealedSecret | null,
  signal?: AbortSignal,
): Promise<Manifest> {
  const migrations = await readMigrations(session);
  if (migrations.length === 0)
    throw new BackupRefusedError('There is nothing to back up: Tidemark has not used this database yet.');
  const archive = tar.pack();
  const stored = pipeline(archive, createWriteStream(file, { flags: 'wx', mode: OWNER_ONLY, flush: true }), { signal });
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
    sequences: (await listSequences(session, tables)).flatMap(({ name, value }) => (value ? [{ name, value }] : [])),
    sealedWith: await countSealedWith(session),
    secret,
  };
}

/** Removes what is a day older than the backup just written, by the one clock of its folder. */
async function removeAbandoned(written: string): Promise<void> {
  const { mtimeMs: now } = await stat(written);
  const folder = dirname(written);
  for (const name of (await readdir(folder)).filter((name) => PARTIAL_NAME.test(name))) {
    const path = join(folder, name);
    if (now - (await stat(path)).mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

/** Makes the new name survive a power cut. Not every system supports it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function taken(path: string): BackupRefusedError {
  return new BackupRefusedError(`${path} exists already: choose another name, or remove it.`);
}

function isFromFileSystem(error: unknown): error is NodeJS.ErrnoException {
  const { syscall = '' } = error as NodeJS.ErrnoException;
  return ['open', 'write', 'fsync', 'close', 'link', 'rename', 'stat'].includes(syscall);
}
