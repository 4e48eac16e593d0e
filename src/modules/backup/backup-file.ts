import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import tar from 'tar-stream';
import { z } from 'zod';
import { RefusedError } from '../../kit.js';
import { SEALED_SECRET } from './sealed-secret.js';

/** A backup cannot be written, read or restored, for a reason that a person can fix. The message is one sentence. */
export class BackupRefusedError extends RefusedError {
  override readonly name = 'BackupRefusedError';
}

/*
 * A backup is a tar file with one folder:
 *
 *   tidemark-backup/accounts.0001.copy.gz   rows of a table in PostgreSQL's COPY format, some MiB in each file
 *   tidemark-backup/accounts.0002.copy.gz   (`zcat accounts.*.copy.gz` gives the whole table)
 *   …                                       tables in the order of the manifest, each after those it refers to
 *   tidemark-backup/manifest.json           see MANIFEST below
 *
 * The manifest comes last, because counts and digests are known only after the last row. A file without it is truncated.
 */
export const FOLDER = 'tidemark-backup/';
export const MANIFEST_NAME = 'manifest.json';
const PART_NAME = /^tidemark-backup\/(.+)\.\d+\.copy\.gz$/;

/** Raised when an older program cannot read the file any more. */
export const FORMAT = 2;

/** The description of a backup. */
const MANIFEST = z.object({
  format: z.number(),
  /** Versions of the program that wrote it and of the server it read, for people. */
  program: z.string(),
  server: z.string(),
  createdAt: z.string(),
  /** The migrations that the database had, oldest first, each with the module that brought it. */
  migrations: z.array(z.string()),
  modules: z.record(z.string(), z.string()),
  /** In the order of the rows in the file. The digest is the SHA-256 of all rows as text. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), digest: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The APP_SECRET, encrypted with a passphrase; `null`: not included. */
  secret: SEALED_SECRET.nullable(),
  /** Made with APP_SECRET, of the other members as JSON. Their digests cover the rows. */
  signature: z.string(),
});

export type Manifest = z.output<typeof MANIFEST>;

/** A backup whose rows have the digests of its manifest. */
export interface BackupFile {
  path: string;
  manifest: Manifest;
  /** What the signature of the manifest must be of. */
  signedText: string;
}

/** What the signature of a manifest is of. */
export function signedText(manifest: Omit<Manifest, 'signature'>): string {
  return JSON.stringify({ ...manifest, signature: undefined });
}

/** Reads the whole file once. @throws BackupRefusedError when it is no backup, damaged, or of a newer format */
export async function openBackupFile(path: string): Promise<BackupFile> {
  const hashes = new Map<string, Hash>();
  for await (const member of membersOf(path)) {
    if ('manifest' in member) return checked(path, member.manifest, hashes);
    hashes.set(member.table, (hashes.get(member.table) ?? createHash('sha256')).update(member.rows));
  }
  throw damaged(path);
}

/** The rows of a backup, in parts, in the order of the tables in its manifest. */
export async function* rowsOf({ path }: BackupFile): AsyncGenerator<{ table: string; rows: Buffer }, void> {
  for await (const member of membersOf(path)) if ('rows' in member) yield member;
}

function checked(path: string, manifest: unknown, hashes: ReadonlyMap<string, Hash>): BackupFile {
  const format = z.object({ format: z.number() }).safeParse(manifest).data?.format ?? 0;
  if (format > FORMAT) {
    throw new BackupRefusedError(
      `${path} was written by a newer version of Tidemark: use that version, or a newer one.`,
    );
  }
  const { data } = MANIFEST.safeParse(manifest);
  const digestOf = (name: string) => (hashes.get(name) ?? createHash('sha256')).digest('hex');
  if (!data?.tables.every(({ name, digest }) => digestOf(name) === digest)) throw damaged(path);
  return { path, manifest: data, signedText: signedText(manifest as Manifest) };
}

type Member = { table: string; rows: Buffer } | { manifest: unknown };

async function* membersOf(path: string): AsyncGenerator<Member, void> {
  let isOurs = false;
  const archive = tar.extract();
  try {
    // Opening a pipe would block the process until somebody writes to it, whatever signal arrives.
    if (!(await stat(path)).isFile()) throw new BackupRefusedError(`${path} is not a file.`);
    const file = createReadStream(path);
    file.on('error', (error) => archive.destroy(error));
    archive.on('close', () => file.destroy());
    for await (const entry of file.pipe(archive)) {
      const [, table] = PART_NAME.exec(entry.header.name) ?? [];
      if (table === undefined && entry.header.name !== FOLDER + MANIFEST_NAME) break;
      isOurs = true;
      const bytes = await buffer(entry);
      if (table !== undefined) yield { table, rows: await promisify(gunzip)(bytes) };
      else yield { manifest: JSON.parse(bytes.toString('utf8')) };
    }
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (error instanceof BackupRefusedError) throw error;
    if (syscall) throw new BackupRefusedError(`${path} cannot be read (${code}).`);
    if (isOurs) throw damaged(path);
  } finally {
    archive.destroy();
  }
  if (!isOurs) throw new BackupRefusedError(`${path} is not a backup of this program, or of a newer version.`);
}

function damaged(path: string): BackupRefusedError {
  return new BackupRefusedError(`${path} is damaged: it was truncated, or changed after it was written.`);
}
