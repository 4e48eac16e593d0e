import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from './secret.js';
import { makeFolder } from './make-folder.js';
import { secretTexts, weaknessOfNewest } from './app-secret-text.js';
import type { Config } from './config.js';
import { cannotUse, EXIT_CONFIG, StartupError } from './startup-error.js';

/** The root secrets, newest first. The first one seals, and all of them unseal. */
export class AppSecrets {
  constructor(readonly newestFirst: readonly [Secret, ...Secret[]]) {}
}

/**
 * Reads APP_SECRET or APP_SECRET_FILE, or generates a secret in the data directory once.
 *
 * @param mayGenerate whether a missing one is generated, and no reason to refuse
 */
export async function loadAppSecrets(config: Config, mayGenerate = true): Promise<AppSecrets> {
  const { appSecret, appSecretFile, dataDir } = config;
  return secretsOf(
    appSecret ?? (appSecretFile ? await readSecretFile(config) : [await generatedSecret(dataDir, mayGenerate)]),
  );
}

async function readSecretFile({ appSecretFile, databaseUrl }: Config): Promise<string[]> {
  const text = await readFile(appSecretFile!, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`APP_SECRET_FILE ${appSecretFile} cannot be read (${error.code}).`);
  });
  return parseSecretFile(text, appSecretFile!, databaseUrl !== null);
}

/**
 * Parses APP_SECRET_FILE: one secret or several, newest first.
 *
 * @param isRequiredStrong whether a weak secret is refused, as in APP_SECRET with DATABASE_URL
 * @throws StartupError with exit code 78
 */
function parseSecretFile(text: string, path: string, isRequiredStrong: boolean): string[] {
  const { data, error } = secretTexts.safeParse(text);
  const problem = data ? isRequiredStrong && weaknessOfNewest(data) : error.issues[0]?.message;
  if (!data || problem) throw new StartupError(`The secret in APP_SECRET_FILE ${path} ${problem}.`, EXIT_CONFIG);
  return data;
}

/** @param texts newest first, at least one */
export function secretsOf(texts: readonly string[]): AppSecrets {
  const [newest, ...older] = texts;
  return new AppSecrets([new Secret(newest!), ...older.map((text) => new Secret(text))]);
}

async function generatedSecret(dataDir: string, mayGenerate: boolean): Promise<string> {
  const file = join(dataDir, 'app-secret');
  const secret = (await readIfThere(file)) ?? (mayGenerate ? await makeSecret(dataDir, file) : null);
  if (secret === null) throw new StartupError(`There is no secret yet: ${file} is missing.`);
  if (secret.trim() !== '') return secret.trim();
  throw new StartupError(`${file} is empty; restore it, or remove it together with the data next to it.`);
}

async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw cannotUse(file, error);
  });
}

/** The file appears when it is whole and on disk. Of two processes that start together, one makes it. */
async function makeSecret(dataDir: string, file: string): Promise<string> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await makeFolder(dataDir);
    await writeFile(unfinished, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600, flush: true });
    // Unlike a rename, a link never overwrites.
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return await readFile(file, 'utf8');
  } catch (error) {
    throw cannotUse(dataDir, error as NodeJS.ErrnoException);
  } finally {
    await rm(unfinished, { force: true });
  }
}
