import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FOOTER_BYTES, HEADER, parseFooter, readPieces } from './backup-format.js';
import { BackupRefusal } from './backup-refusal.js';
import { FORMAT, MANIFEST, type Manifest } from './manifest.js';

/** A file that was read from end to end and is what was written. */
export interface BackupFile {
  path: string;
  manifest: Manifest;
  /** Where the rows lie: the first byte, and the one after the last. */
  rows: { start: number; end: number };
}

/** @throws BackupRefusal when it is no backup, truncated, altered, or of a newer format */
export async function openBackupFile(path: string): Promise<BackupFile> {
  let file: FileHandle | undefined;
  try {
    // A pipe would hold the process until somebody writes into it, whatever signal comes.
    if (!(await stat(path)).isFile()) throw new BackupRefusal(`${path} is not a file.`);
    file = await open(path, 'r');
    return await check(path, file);
  } catch (error) {
    if (error instanceof BackupRefusal) throw error;
    throw new BackupRefusal(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  } finally {
    await file?.close();
  }
}

async function check(path: string, file: FileHandle): Promise<BackupFile> {
  const { size } = await file.stat();
  const header = await readAt(file, 0, HEADER.length);
  if (!header.equals(HEADER))
    throw new BackupRefusal(`${path} is not a backup of this program, or of a newer version.`);
  const footer = parseFooter(await readAt(file, size - FOOTER_BYTES, FOOTER_BYTES));
  if (!footer) throw new BackupRefusal(`${path} is truncated: its end is missing.`);
  const manifestStart = size - FOOTER_BYTES - footer.manifestBytes;
  const digest = await digestOf(path, size - FOOTER_BYTES);
  if (manifestStart < HEADER.length || !digest.equals(footer.digest)) {
    throw new BackupRefusal(`${path} is damaged: its checksum does not match.`);
  }
  const text = await readAt(file, manifestStart, footer.manifestBytes);
  const { data: manifest } = MANIFEST.safeParse(jsonOf(text));
  if (!manifest || manifest.format > FORMAT) {
    throw new BackupRefusal(`${path} was written by a newer version of Tidemark: use that version, or a newer one.`);
  }
  return { path, manifest, rows: { start: HEADER.length, end: manifestStart } };
}

/** `null` for what is no JSON: a file with the digest of its bytes that this program did not write. */
function jsonOf(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return null;
  }
}

/** At most `length` bytes; fewer where the file is shorter. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function digestOf(path: string, bytes: number): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: Math.max(0, bytes - 1) })) hash.update(chunk as Buffer);
  return hash.digest();
}

/** The pieces of all tables; an empty one ends a table. */
export function rowsOf({ path, rows: { start, end } }: BackupFile): AsyncGenerator<Buffer, void> {
  const unpacked = createGunzip();
  // Whichever of the two ends early, the other one is closed; an error comes out of the unpacked bytes.
  pipeline(createReadStream(path, { start, end: end - 1 }), unpacked, () => undefined);
  return readPieces(unpacked as AsyncIterable<Buffer>);
}
