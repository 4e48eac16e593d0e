import { z } from 'zod';

/** A backup cannot be written, read or restored, for a reason that a person can remove. The message is one sentence. */
export class BackupRefusal extends Error {
  override readonly name = 'BackupRefusal';
}

/*
 * A backup file, from its first byte:
 *
 *   header     the text below, 18 bytes
 *   rows       gzip: for each table of the manifest its pieces, each after its length (4 bytes), and a length of 0
 *   manifest   JSON, see MANIFEST below
 *   footer     length of the manifest (4 bytes), SHA-256 of everything before it (32 bytes), the text below (8 bytes)
 *
 * Counts and digests are known when the last row is written. At the end they take no second pass over the data, and a
 * file that lacks its end is known for truncated at once.
 */

export const HEADER = Buffer.from('TIDEMARK BACKUP 1\n');
export const FOOTER_TEXT = Buffer.from('TMBKEND\n');
const LENGTH_BYTES = 4;
const DIGEST_BYTES = 32;
export const FOOTER_BYTES = LENGTH_BYTES + DIGEST_BYTES + FOOTER_TEXT.length;
/** A piece is what PostgreSQL sends at a time, or one row. A longer one is no backup of ours. */
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

/** @returns `null` when these are not the last bytes of a whole backup */
export function parseFooter(bytes: Buffer): { manifestBytes: number; digest: Buffer } | null {
  if (bytes.length !== FOOTER_BYTES || !bytes.subarray(-FOOTER_TEXT.length).equals(FOOTER_TEXT)) return null;
  return {
    manifestBytes: bytes.readUInt32BE(0),
    digest: bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + DIGEST_BYTES),
  };
}

/** Cuts a stream of bytes into its pieces; an empty one ends a table. */
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
      if (pieceBytes > MAX_PIECE_BYTES) throw new BackupRefusal('The rows of this backup cannot be read.');
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

/** What a backup says of itself. It is written after the rows, when all of it is known. */
export const MANIFEST = z.object({
  format: z.number(),
  /** Version of the program that wrote it, and of the server it read. For people. */
  program: z.string(),
  server: z.string(),
  createdAt: z.string(),
  /** The migrations that the database had, oldest first. */
  migrations: z.array(z.string()),
  /** Which of them are an extension's, and its name. */
  extensions: z.record(z.string(), z.string()).default({}),
  /** In the order of the rows in the file: a table comes after those it refers to. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), digest: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** How many credentials each APP_SECRET has sealed, by its key id. */
  sealedWith: z.record(z.string(), z.number()),
  /** The APP_SECRET under a passphrase; `null`: it does not go along. */
  secret: SEALED_SECRET.nullable(),
});

export type Manifest = z.output<typeof MANIFEST>;
export type SealedSecret = z.output<typeof SEALED_SECRET>;
