import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { CronTime } from 'cron';
import { z } from 'zod';
import { secretTexts } from './app-secret-text.js';
import { flag, httpUrl, integer, list, oneOf, PROVIDER_ALLOW_PRIVATE_NETWORK, schemeOf } from './environment-values.js';

/** A day. */
export const MAX_TIMEOUT_MS = 86_400_000;
const MIN_TIMEOUT_MS = 100;
const timeoutMs = () => integer(MIN_TIMEOUT_MS, MAX_TIMEOUT_MS);

const ADDRESS_RANGES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isAddressRange(text: string): boolean {
  if (ADDRESS_RANGES.has(text)) return true;
  const [address = '', prefix = '0', ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

const addressRanges = list.refine(
  (ranges) => ranges.every(isAddressRange),
  `must be a list of addresses, CIDR ranges, or the words ${[...ADDRESS_RANGES].join(', ')}`,
);

/** `name`, or `*.name` for every name below it; without a port. */
const hostPatterns = list
  .transform((patterns) => patterns.map((pattern) => pattern.toLowerCase()))
  .refine(
    (patterns) => patterns.every((pattern) => /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$|^\[[\da-f:.]+\]$/.test(pattern)),
    'must be a list of host names without scheme and port; *.example.org stands for all names below example.org',
  );

/** As browsers send them in `Origin`. */
const origins = list.refine(
  (all) => all.every((one) => /^https?:$/.test(schemeOf(one)) && new URL(one).origin === one),
  'must be a list of origins like https://board.example, with scheme, without path, in lower case',
);

const cron = z
  .string()
  .refine((text) => text === 'off' || everComes(text), 'must be a cron expression of a moment that comes, or off')
  .transform((text) => (text === 'off' ? null : text));

/** The thirtieth of February is written well, and never comes. */
function everComes(text: string): boolean {
  try {
    return new CronTime(text, 'UTC').sendAt().isValid;
  } catch {
    return false;
  }
}

/** Files that a database's URL may name. */
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

const databaseUrl = z
  .string()
  .refine((text) => ['postgres:', 'postgresql:'].includes(schemeOf(text)), 'must be a postgresql:// address')
  .refine(
    (text) => !URL.canParse(text) || TLS_FILES.every((name) => isReadable(new URL(text).searchParams.get(name))),
    `names a file in ${TLS_FILES.join(', ')} that cannot be read`,
  );

function isReadable(path: string | null): boolean {
  if (!path) return true;
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** All variables with their defaults, except those of providers. */
export const VARIABLES = z.object({
  PORT: integer(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  ALLOWED_HOSTS: hostPatterns.default([]),
  TRUSTED_PROXIES: addressRanges.default([]),
  CORS_ORIGINS: origins.default([]),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_REPLICA_POOL_MAX: integer(1, 1000).default(10),
  DATABASE_POOL_MAX: integer(1, 1000).default(20),
  DATABASE_CONNECT_TIMEOUT_MS: timeoutMs().default(5_000),
  DATABASE_ACQUIRE_TIMEOUT_MS: timeoutMs().default(5_000),
  DATABASE_STATEMENT_TIMEOUT_MS: timeoutMs().default(10_000),
  DATABASE_LOCK_TIMEOUT_MS: timeoutMs().default(5_000),
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: timeoutMs().default(30_000),
  DATABASE_BACKGROUND_STATEMENT_TIMEOUT_MS: timeoutMs().default(600_000),
  DATABASE_BACKGROUND_LOCK_TIMEOUT_MS: timeoutMs().default(60_000),
  DATABASE_EXPORT_STATEMENT_TIMEOUT_MS: timeoutMs().default(60_000),
  DATABASE_EXPORT_IDLE_TIMEOUT_MS: timeoutMs().default(120_000),
  DATABASE_MIGRATION_STATEMENT_TIMEOUT_MS: timeoutMs().default(1_800_000),
  DATABASE_MIGRATION_LOCK_TIMEOUT_MS: timeoutMs().default(60_000),
  DATA_DIR: z
    .string()
    .default('./.data')
    .transform((path) => resolve(path)),
  APP_SECRET: secretTexts.optional(),
  APP_SECRET_FILE: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  BACKUP_CRON: cron.default(null),
  BACKUP_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  BACKUP_KEEP: integer(1, 10_000).default(14),
  RETENTION_DAYS: integer(1, 36_500).default(90),
  SYNC_CRON: cron.default('17 */6 * * *'),
  SYNC_CONCURRENCY: integer(1, 100).default(4),
  MAX_CONNECTIONS_PER_PERSON: integer(1, 10_000).default(50),
  SYNC_DEADLINE_MS: integer(100, 2_400_000).default(1_800_000),
  WEB_CONCURRENCY: integer(1, 256).default(1),
  ROLE: oneOf('api', 'worker', 'all').default('all'),
  PROVIDER_ALLOW_PRIVATE_NETWORK,
  PROVIDER_TIMEOUT_MS: integer(100, 600_000).default(60_000),
  SHUTDOWN_DRAIN_MS: integer(0, 600_000).default(5_000),
  METRICS_PORT: integer(0, 65535).optional(),
  MAX_EVENT_STREAMS: integer(1, 10_000).default(500),
  MAX_EVENT_STREAMS_PER_PERSON: integer(1, 10_000).default(20),
  MAX_EVENT_STREAMS_PER_KEY: integer(1, 10_000).default(10),
  IDLE_READER_TIMEOUT_MS: integer(100, 600_000).default(60_000),
  EXPORT_DEADLINE_MS: integer(100, 86_400_000).default(1_800_000),
  RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000).default(600),
  SIGN_UP: oneOf('invitation', 'open').default('invitation'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  SOURCE_URL: httpUrl.optional(),
  SANDBOX: flag.default(false),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
});

/** The values of all variables, except those of providers. */
export type Variables = z.output<typeof VARIABLES>;
