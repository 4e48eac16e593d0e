import { z } from 'zod';

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
