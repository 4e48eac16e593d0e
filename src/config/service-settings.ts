import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { CronTime } from 'cron';
import { z } from 'zod';
import { secretTexts } from './app-secret-text.js';
import {
  flag,
  httpUrl,
  integer,
  list,
  oneOf,
  orNull,
  PROVIDER_ALLOW_PRIVATE_NETWORK,
  schemeOf,
} from './environment-values.js';

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

const absolutePath = z.string().transform((path) => resolve(path));

/** Files that a database's URL may name. */
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

const databaseUrl = z
  .string()
  .refine((text) => ['postgres:', 'postgresql:'].includes(schemeOf(text)) && isDecodable(text), {
    message: 'must be a postgresql:// address; in its user and password % is %25, # is %23, / is %2F and ? is %3F',
    abort: true,
  })
  .refine(
    (text) => TLS_FILES.every((name) => isReadable(new URL(text).searchParams.get(name))),
    `names a file in ${TLS_FILES.join(', ')} that cannot be read`,
  );

function isDecodable(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

function isReadable(path: string | null): boolean {
  if (!path) return true;
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * All settings with their defaults, except those of the database's sessions and of providers. Each is set by the variable
 * of its name: `dataDir` by DATA_DIR.
 */
export const SERVICE_SETTINGS = z.object({
  port: integer(0, 65535).default(3000),
  host: z.string().default('127.0.0.1'),
  /** Host names of this service besides loopback's and `host`, in lower case. */
  allowedHosts: hostPatterns.default([]),
  /** Proxies whose `X-Forwarded-*` headers count, as in Express' `trust proxy`. */
  trustedProxies: addressRanges.default([]),
  /** Origins whose pages may call the API. */
  corsOrigins: origins.default([]),
  /** `null`: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: orNull(databaseUrl),
  /** The server behind the pooler in `databaseUrl`; `null`: no pooler, or one that shares no sessions. */
  databaseDirectUrl: orNull(databaseUrl),
  /** A server that follows the one in `databaseUrl`; `null`: all is read from that one. */
  databaseReplicaUrl: orNull(databaseUrl),
  dataDir: absolutePath.prefault('./.data'),
  /** Newest first; `null`: from `appSecretFile`, or generated in `dataDir`. */
  appSecret: orNull(secretTexts),
  appSecretFile: orNull(absolutePath),
  /** `null`: this instance schedules no backups. */
  backupCron: cron.default(null),
  /** `null`: in `dataDir`. */
  backupDir: orNull(absolutePath),
  /** How many backups are kept in `backupDir`. */
  backupKeep: integer(1, 10_000).default(14),
  /** How long rows are kept that no balance is derived from. */
  retentionDays: integer(1, 36_500).default(90),
  /** `null`: this instance schedules nothing. */
  syncCron: cron.default('17 */6 * * *'),
  syncConcurrency: integer(1, 100).default(4),
  maxConnectionsPerPerson: integer(1, 10_000).default(50),
  syncDeadlineMs: integer(100, 2_400_000).default(1_800_000),
  /** Processes behind one port; each is an instance of its own. */
  webConcurrency: integer(1, 256).default(1),
  role: oneOf('api', 'worker', 'all').default('all'),
  providerAllowPrivateNetwork: PROVIDER_ALLOW_PRIVATE_NETWORK,
  providerTimeoutMs: integer(100, 600_000).default(60_000),
  /** How long a stopping instance still serves, so that load balancers notice that it is not ready. */
  shutdownDrainMs: integer(0, 600_000).default(5_000),
  /** `null`: metrics are at /metrics of the service, for callers on this machine. */
  metricsPort: orNull(integer(0, 65535)),
  maxEventStreams: integer(1, 10_000).default(500),
  maxEventStreamsPerPerson: integer(1, 10_000).default(20),
  maxEventStreamsPerKey: integer(1, 10_000).default(10),
  /** How long a client of an export or event stream may read nothing. */
  idleReaderTimeoutMs: integer(100, 600_000).default(60_000),
  /** How long an export may take in all. */
  exportDeadlineMs: integer(100, 86_400_000).default(1_800_000),
  /** `0`: no limit. */
  rateLimitPerMinute: integer(0, 1_000_000).default(600),
  /** Who may sign up after the first person: only the invited, or everybody. */
  signUp: oneOf('invitation', 'open').default('invitation'),
  /** OTLP endpoint of an OpenTelemetry collector; `null`: no traces. */
  otelExporterOtlpEndpoint: orNull(httpUrl),
  /** Address of the source of the running version, which the licence requires; `null`: not set. */
  sourceUrl: orNull(httpUrl),
  sandbox: flag.default(false),
  logLevel: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
});

/** The values of {@link SERVICE_SETTINGS}. */
export type ServiceSettings = z.output<typeof SERVICE_SETTINGS>;
