import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  BackupRefusedError,
  FOOTER_BYTES,
  FOOTER_TEXT,
  FORMAT,
  HEADER,
  MANIFEST,
  type Manifest,
  parseFooter,
  readPieces,
  signedText,
} from './backup-format.js';

/** A backup whose checksum was verified. */
export interface BackupFile {
  path: string;
  manifest: Manifest;
  /** What the signature of the manifest must be of. */
  signedText: string;
  /** The range of bytes with the rows; `end` is exclusive. */
  rows: { start: number; end: number };
}

/** @throws BackupRefusedError when it is no backup, truncated, altered, or of a newer format */
export async function openBackupFile(path: string): Promise<BackupFile> {
  let file: FileHandle | undefined;
  try {
    // Opening a pipe would block the process until somebody writes to it, whatever signal arrives.
    if (!(await stat(path)).isFile()) throw new BackupRefusedError(`${path} is not a file.`);
    file = await open(path, 'r');
    return await check(path, file);
  } catch (error) {
    if (error instanceof BackupRefusedError) throw error;
    throw new BackupRefusedError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  } finally {
    await file?.close();
  }
}

async function check(path: string, file: FileHandle): Promise<BackupFile> {
  const { size } = await file.stat();
  const header = await readAt(file, 0, HEADER.length);
  if (!header.equals(HEADER))
    throw new BackupRefusedError(`${path} is not a backup of this program, or of a newer version.`);
  const footer = parseFooter(await readAt(file, size - FOOTER_BYTES, FOOTER_BYTES));
  if (!footer) throw new BackupRefusedError(`${path} ${endingOf(path, size, await endOfBackup(path))}`);
  const manifestStart = size - FOOTER_BYTES - footer.manifestBytes;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: Math.max(0, manifestStart - 1) }))
    hash.update(chunk as Buffer);
  const digestOfRows = hash.copy().digest();
  const text = await readAt(file, manifestStart, footer.manifestBytes);
  if (manifestStart < HEADER.length || !hash.update(text).digest().equals(footer.digest)) {
    throw new BackupRefusedError(`${path} is damaged: its checksum does not match.`);
  }
  const json = jsonOf(text);
  const { data: manifest } = MANIFEST.safeParse(json);
  if (!manifest || manifest.format > FORMAT) {
    throw new BackupRefusedError(
      `${path} was written by a newer version of Tidemark: use that version, or a newer one.`,
    );
  }
  const unsigned = { ...(json as Manifest), signature: undefined };
  return {
    path,
    manifest,
    signedText: signedText(digestOfRows, unsigned),
    rows: { start: HEADER.length, end: manifestStart },
  };
}

/** @returns `null` when it is not JSON: another program wrote the file, with a correct digest */
function jsonOf(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return null;
  }
}

/** Reads up to `length` bytes; fewer at the end of the file. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The end of the last footer in a file; `null`: there is none. */
async function endOfBackup(path: string): Promise<number | null> {
  let end: number | null = null;
  let position = 0;
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    // The text may begin in one chunk and end in the next.
    const carried = bytes.subarray(1 - FOOTER_TEXT.length);
    position += bytes.length - carried.length;
    bytes = Buffer.concat([carried, chunk as Buffer]);
    const found = bytes.lastIndexOf(FOOTER_TEXT);
    if (found >= 0) end = position + found + FOOTER_TEXT.length;
  }
  return end;
}

/** Why a file does not end with a footer. */
function endingOf(path: string, size: number, end: number | null): string {
  if (end === null) return 'is truncated: its end is missing.';
  const bytes = size - end === 1 ? '1 byte' : `${size - end} bytes`;
  return `has ${bytes} after the end of the backup, which something has appended: remove them with "truncate -s ${end} ${path}".`;
}

/** The pieces of all tables; an empty one ends a table. */
export function rowsOf({ path, rows: { start, end } }: BackupFile): AsyncGenerator<Buffer, void> {
  const unpacked = createGunzip();
  // If one of the two ends early, the pipeline closes the other. An error is thrown to the reader of the unpacked bytes.
  pipeline(createReadStream(path, { start, end: end - 1 }), unpacked, () => undefined);
  return readPieces(unpacked as AsyncIterable<Buffer>);
}
