import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  BackupRefusedError,
  END_OF_TABLE,
  HEADER,
  lengthOf,
  makeFooter,
  type Manifest,
  signedText,
  type UnsignedManifest,
} from './backup-format.js';

/** Fast enough to keep up with a disk; a higher level saves a tenth of the size and takes twice as long. */
const GZIP_LEVEL = 4;

/** Yields the pieces of one table after the other, `null` at the end of each table, and returns the manifest. */
export type BackupRows = AsyncGenerator<Buffer | null, UnsignedManifest>;

/** What a file system without links answers, such as that of a USB stick. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const PARTIAL_NAME = /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.partial$/;
/** An unfinished file of this age was left by a killed process. */
const ABANDONED_MS = 24 * 3_600_000;

/**
 * Writes a backup under a temporary name and gives it its own once it is complete and on disk. An unfinished file is
 * removed, and so is what killed processes have left in the folder.
 *
 * @param sign signs a text
 * @returns its size and its manifest
 * @throws BackupRefusedError when the file exists already or cannot be written
 */
export async function writeBackupFile(
  path: string,
  rows: BackupRows,
  sign: (text: string) => string,
  signal?: AbortSignal,
): Promise<{ bytes: number; manifest: Manifest }> {
  // Asked for before anything is read; the link below asks again.
  const isTaken = await stat(path).then(
    () => true,
    () => false,
  );
  if (isTaken) throw taken(path);
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    const written = await writePartial(partial, rows, sign, signal);
    // Unlike a rename, a link never overwrites what another backup has written meanwhile.
    await link(partial, path).catch((error: NodeJS.ErrnoException) => {
      if (!WITHOUT_LINKS.has(error.code)) throw error;
      return rename(partial, path);
    });
    await syncFolder(dirname(path));
    await removeAbandoned(path).catch(() => undefined);
    return written;
  } catch (error) {
    if (!isFromFileSystem(error)) throw error;
    throw error.code === 'EEXIST' ? taken(path) : new BackupRefusedError(`${path} cannot be written (${error.code}).`);
  } finally {
    await rm(partial, { force: true });
  }
}

/**
 * Removes what is a day older than the backup just written, by the one clock of its folder. Of files with such names, only
 * those that begin as a backup does are ours.
 */
async function removeAbandoned(written: string): Promise<void> {
  const { mtimeMs: now } = await stat(written);
  const folder = dirname(written);
  for (const name of (await readdir(folder)).filter((name) => PARTIAL_NAME.test(name))) {
    const path = join(folder, name);
    const isOld = now - (await stat(path)).mtimeMs > ABANDONED_MS;
    if (isOld && (await beginsAsBackup(path))) await rm(path, { force: true });
  }
}

async function beginsAsBackup(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    return buffer.equals(HEADER);
  } finally {
    await file.close();
  }
}

function taken(path: string): BackupRefusedError {
  return new BackupRefusedError(`${path} exists already: choose another name, or remove it.`);
}

async function writePartial(path: string, rows: BackupRows, sign: (text: string) => string, signal?: AbortSignal) {
  const file = await open(path, 'wx', 0o600);
  try {
    const sink = new Sink(file);
    await sink.write(HEADER);
    const result: { manifest?: UnsignedManifest } = {};
    await pipeline(
      frame(rows, result),
      createGzip({ level: GZIP_LEVEL }),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await sink.write(chunk);
      },
      { signal },
    );
    const unsigned = result.manifest!;
    const manifest: Manifest = { ...unsigned, signature: sign(signedText(sink.digest, unsigned)) };
    const text = Buffer.from(JSON.stringify(manifest));
    await sink.write(text);
    await sink.write(makeFooter(text.length, sink.digest));
    await file.sync();
    return { bytes: sink.bytes, manifest };
  } finally {
    await file.close();
  }
}

async function* frame(rows: BackupRows, result: { manifest?: UnsignedManifest }): AsyncGenerator<Buffer, void> {
  try {
    for (;;) {
      const { done, value } = await rows.next();
      if (done) {
        result.manifest = value;
        return;
      }
      if (value === null) yield END_OF_TABLE;
      else if (value.length > 0) {
        yield lengthOf(value);
        yield value;
      }
    }
  } finally {
    await rows.return(undefined as never);
  }
}

/** Appends to a file and hashes what it writes. */
class Sink {
  readonly #hash = createHash('sha256');
  bytes = 0;

  constructor(private readonly file: FileHandle) {}

  async write(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    await this.file.appendFile(chunk);
  }

  /** Of everything written so far. */
  get digest(): Buffer {
    return this.#hash.copy().digest();
  }
}

/** Makes the new name survive a power cut. Not every system supports it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function isFromFileSystem(error: unknown): error is NodeJS.ErrnoException {
  const { syscall = '' } = error as NodeJS.ErrnoException;
  return ['open', 'write', 'fsync', 'close', 'link', 'rename'].includes(syscall);
}
