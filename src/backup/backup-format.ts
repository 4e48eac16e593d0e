import { z } from 'zod';

/** A backup cannot be written, read or restored, for a reason that a person can fix. The message is one sentence. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError';
}

/*
 * A backup file, from its first byte:
 *
 *   header     the text below, 18 bytes
 *   rows       gzip: for each table of the manifest its pieces, each preceded by its length (4 bytes), then a length of 0
 *   manifest   JSON, see MANIFEST below
 *   footer     length of the manifest (4 bytes), SHA-256 of everything before it (32 bytes), the text below (8 bytes)
 *
 * Counts and digests are known only after the last row. At the end of the file they need no second pass over the data,
 * and a truncated file is recognised at once.
 */

export const HEADER = Buffer.from('TIDEMARK BACKUP 1\n');
export const FOOTER_TEXT = Buffer.from('TMBKEND\n');
const LENGTH_BYTES = 4;
const DIGEST_BYTES = 32;
export const FOOTER_BYTES = LENGTH_BYTES + DIGEST_BYTES + FOOTER_TEXT.length;
/** PostgreSQL sends a row or a buffer at a time. A longer piece means that the file is not one of ours. */
const MAX_PIECE_BYTES = 1_100_000_000;

export const END_OF_TABLE = Buffer.alloc(LENGTH_BYTES);

export function lengthOf(piece: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(piece.length);
  return length;
}

export function makeFooter(manifestBytes: number, digest: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(manifestBytes);
  return Buffer.concat([length, digest, FOOTER_TEXT]);
}

/** @returns `null` when these are not the last bytes of a complete backup */
export function parseFooter(bytes: Buffer): { manifestBytes: number; digest: Buffer } | null {
  if (bytes.length !== FOOTER_BYTES || !bytes.subarray(-FOOTER_TEXT.length).equals(FOOTER_TEXT)) return null;
  return {
    manifestBytes: bytes.readUInt32BE(0),
    digest: bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + DIGEST_BYTES),
  };
}

/** Splits a stream of bytes into its pieces; an empty one ends a table. */
export async function* readPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let wantedBytes = LENGTH_BYTES;
  for await (const chunk of bytes) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    while (waitingBytes >= wantedBytes) {
      const joined = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting);
      const pieceBytes = joined.readUInt32BE(0);
      if (pieceBytes > MAX_PIECE_BYTES) throw new BackupRefusedError('The rows of this backup cannot be read.');
      const endOfPiece = LENGTH_BYTES + pieceBytes;
      const isWhole = joined.length >= endOfPiece;
      if (isWhole) yield joined.subarray(LENGTH_BYTES, endOfPiece);
      const rest = isWhole ? joined.subarray(endOfPiece) : joined;
      waiting = [rest];
      waitingBytes = rest.length;
      wantedBytes = isWhole ? LENGTH_BYTES : endOfPiece;
    }
  }
}

/** Raised when an older program cannot read the file any more. */
export const FORMAT = 1;

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

/** The description of a backup, written after its rows. */
export const MANIFEST = z.object({
  format: z.number(),
  /** Versions of the program that wrote it and of the server it read, for people. */
  program: z.string(),
  server: z.string(),
  createdAt: z.string(),
  /** The migrations that the database had, oldest first. */
  migrations: z.array(z.string()),
  /** The migrations of extensions, each with the name of its extension. */
  extensions: z.record(z.string(), z.string()).default({}),
  /** In the order of the rows in the file: a table comes after those it refers to. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), digest: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** How many credentials each APP_SECRET has sealed, by its key id. */
  sealedWith: z.record(z.string(), z.number()),
  /** The APP_SECRET, encrypted with a passphrase; `null`: not included. */
  secret: SEALED_SECRET.nullable(),
  /** Of {@link signedText} by APP_SECRET. `null`: an earlier version wrote the file. */
  signature: z.string().nullable().default(null),
});

export type Manifest = z.output<typeof MANIFEST>;
export type UnsignedManifest = Omit<Manifest, 'signature'>;

/** What the signature is of: everything in the file. Its checksum can be made anew by whoever changes it. */
export function signedText(digestOfRows: Buffer, unsigned: object): string {
  return `${digestOfRows.toString('hex')} ${JSON.stringify(unsigned)}`;
}
export type SealedSecret = z.output<typeof SEALED_SECRET>;
