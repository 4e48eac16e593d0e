import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import tar from 'tar-stream';
import { z } from 'zod';
import { RefusedError } from '../../platform/command.js';

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
const PART_NAME = /^(.+)\.\d+\.copy\.gz$/;

/** Limits of one member. More means that the file is not one of ours: a part has 4 MiB and the row that exceeds them. */
const MAX_MEMBER_BYTES = 256 * 1024 * 1024;

/** Raised when an older program cannot read the file any more. */
export const FORMAT = 2;

const SEALED_SECRET = z.object({
  /** Base64url, as are the next two. */
  salt: z.string(),
  nonce: z.string(),
  text: z.string(),
  /** Parameters of scrypt. */
  cost: z.number(),
  blockSize: z.number(),
  parallelization: z.number(),
});

export type SealedSecret = z.output<typeof SEALED_SECRET>;

/** The description of a backup. */
const MANIFEST = z.object({
  format: z.number(),
  /** Versions of the program that wrote it and of the server it read, for people. */
  program: z.string(),
  server: z.string(),
  createdAt: z.string(),
  /** The migrations that the database had, oldest first. */
  migrations: z.array(z.string()),
  /** The migrations of modules, each with the name of its module. */
  modules: z.record(z.string(), z.string()),
  /** In the order of the rows in the file. The digest is the SHA-256 of all rows as text. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), digest: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** How many credentials each APP_SECRET has sealed, by its key id. */
  sealedWith: z.record(z.string(), z.number()),
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

/** Reads the whole file once. @throws BackupRefusedError when it is no backup, truncated, damaged, or of a newer format */
export async function openBackupFile(path: string): Promise<BackupFile> {
  const digests = new Digests();
  for await (const member of readMembers(path)) {
    if ('rows' in member) digests.add(member.table, member.rows);
    else return checked(path, member.manifest, digests);
  }
  throw new BackupRefusedError(`${path} is truncated: its end is missing.`);
}

/** The rows of a backup, in parts, in the order of the tables in its manifest. */
export async function* rowsOf({ path }: BackupFile): AsyncGenerator<{ table: string; rows: Buffer }, void> {
  for await (const member of readMembers(path)) if ('rows' in member) yield member;
}

class Digests {
  readonly #hashes = new Map<string, ReturnType<typeof createHash>>();

  add(table: string, rows: Buffer): void {
    const hash = this.#hashes.get(table) ?? createHash('sha256');
    this.#hashes.set(table, hash.update(rows));
  }

  of(table: string): string {
    return (this.#hashes.get(table) ?? createHash('sha256')).digest('hex');
  }
}

function checked(path: string, text: string, digests: Digests): BackupFile {
  const json = jsonOf(text);
  const format = z.object({ format: z.number() }).safeParse(json).data?.format ?? 0;
  if (format > FORMAT) {
    throw new BackupRefusedError(
      `${path} was written by a newer version of Tidemark: use that version, or a newer one.`,
    );
  }
  const { data: manifest } = MANIFEST.safeParse(json);
  const isWhole = manifest?.tables.every(({ name, digest }) => digests.of(name) === digest) ?? false;
  if (!manifest || !isWhole) throw damaged(path);
  return { path, manifest, signedText: signedText(json as Manifest) };
}

/** What the signature of a manifest is of. */
export function signedText(manifest: Omit<Manifest, 'signature'>): string {
  return JSON.stringify({ ...manifest, signature: undefined });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Member = { table: string; rows: Buffer } | { manifest: string };

async function* readMembers(path: string): AsyncGenerator<Member, void> {
  // Opening a pipe would block the process until somebody writes to it, whatever signal arrives.
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error);
  });
  if (!found.isFile()) throw new BackupRefusedError(`${path} is not a file.`);
  const archive = tar.extract();
  const file = createReadStream(path);
  file.on('error', (error) => archive.destroy(error));
  file.pipe(archive);
  let isOurs = false;
  try {
    for await (const entry of archive) {
      const name = entry.header.name.startsWith(FOLDER) ? entry.header.name.slice(FOLDER.length) : '';
      const table = PART_NAME.exec(name)?.[1];
      if (table === undefined && name !== MANIFEST_NAME) break;
      isOurs = true;
      const bytes = await readMember(entry, path);
      if (table === undefined) {
        yield { manifest: bytes.toString('utf8') };
        return;
      }
      yield { table, rows: await promisify(gunzip)(bytes, { maxOutputLength: MAX_MEMBER_BYTES }) };
    }
  } catch (error) {
    throw explained(path, error as NodeJS.ErrnoException, isOurs);
  } finally {
    file.destroy();
  }
  if (!isOurs) throw notOurs(path);
}

async function readMember(entry: tar.Entry, path: string): Promise<Buffer> {
  if ((entry.header.size ?? 0) > MAX_MEMBER_BYTES) throw damaged(path);
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function explained(path: string, error: NodeJS.ErrnoException, isOurs: boolean): BackupRefusedError {
  if (error instanceof BackupRefusedError) return error;
  if (error.syscall) return unreadable(path, error);
  if (!isOurs) return notOurs(path);
  if (error.message === 'Unexpected end of data') {
    return new BackupRefusedError(`${path} is truncated: its end is missing.`);
  }
  return damaged(path);
}

function unreadable(path: string, { code }: NodeJS.ErrnoException): BackupRefusedError {
  return new BackupRefusedError(`${path} cannot be read (${code}).`);
}

function damaged(path: string): BackupRefusedError {
  return new BackupRefusedError(`${path} is damaged: its rows or its manifest were changed after it was written.`);
}

function notOurs(path: string): BackupRefusedError {
  return new BackupRefusedError(`${path} is not a backup of this program, or of a newer version.`);
}
