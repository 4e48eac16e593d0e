import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { CronTime } from 'cron';
import { z } from 'zod';
import { type DatabaseSettings, minPoolMax } from './database-settings.js';
import { flag, httpUrl, integer, list, oneOf, PROVIDER_ALLOW_PRIVATE_NETWORK, schemeOf } from './environment-values.js';
import { findMisspelt, type Misspelt } from './misspelt-variables.js';
import { weaknessOf } from './secret-strength.js';
import { EXIT_CONFIG, StartupError } from './startup-error.js';

const MIN_SECRET_CHARS = 16;
const HOW_TO_MAKE_A_SECRET = 'make one with: openssl rand -base64 32';
const HOW_TO_REPLACE_A_SECRET = `${HOW_TO_MAKE_A_SECRET} (if it has sealed credentials, put the new one before it: new,old)`;

/** A day. */
const MAX_TIMEOUT_MS = 86_400_000;
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

const databaseUrl = z
  .string()
  .refine((text) => ['postgres:', 'postgresql:'].includes(schemeOf(text)), 'must be a postgresql:// address');

const appSecrets = z
  .string()
  // Lines of a file, or a list.
  .transform((text) =>
    text
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter(Boolean),
  )
  .refine((secrets) => secrets.length > 0, 'must not be empty')
  .refine(
    (secrets) => secrets.every((secret) => secret.length >= MIN_SECRET_CHARS),
    `must have at least ${MIN_SECRET_CHARS} characters in each secret; ${HOW_TO_MAKE_A_SECRET}`,
  );

/** Of its 200 some are for the command line, leases and the superuser. */
const EMBEDDED_SESSIONS = 180;

/** All variables with their defaults, except those of providers. */
const ENVIRONMENT = z
  .object({
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
    APP_SECRET: appSecrets.optional(),
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
  })
  .superRefine((env, context) => {
    const refuseSecret = (message: string) => context.addIssue({ code: 'custom', path: ['APP_SECRET'], message });
    if (env.DATABASE_URL && !env.APP_SECRET && !env.APP_SECRET_FILE) {
      refuseSecret(`is required with DATABASE_URL; ${HOW_TO_MAKE_A_SECRET}`);
    }
    if (env.APP_SECRET && env.APP_SECRET_FILE) refuseSecret('must not be set together with APP_SECRET_FILE');
    // Older secrets may be weak, because they must still unseal.
    const weakness = env.DATABASE_URL && env.APP_SECRET ? weaknessOf(env.APP_SECRET[0]!) : null;
    if (weakness) refuseSecret(`${weakness}; ${HOW_TO_REPLACE_A_SECRET}`);
    if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL) {
      const message = 'goes with DATABASE_URL only, which names the pooler in front of the same database';
      context.addIssue({ code: 'custom', path: ['DATABASE_DIRECT_URL'], message });
    }
    if (env.METRICS_PORT === env.PORT && env.PORT !== 0) {
      context.addIssue({ code: 'custom', path: ['METRICS_PORT'], message: 'must be another than PORT' });
    }
    if (env.SANDBOX && env.WEB_CONCURRENCY > 1) {
      const message = 'must be 1 with SANDBOX, whose banks live in one process';
      context.addIssue({ code: 'custom', path: ['WEB_CONCURRENCY'], message });
    }
    const sessions = env.WEB_CONCURRENCY * env.DATABASE_POOL_MAX;
    if (!env.DATABASE_URL && sessions > EMBEDDED_SESSIONS) {
      const message = `times DATABASE_POOL_MAX is ${sessions}, and the embedded PostgreSQL has ${EMBEDDED_SESSIONS} sessions`;
      context.addIssue({ code: 'custom', path: ['WEB_CONCURRENCY'], message });
    }
    if (env.DATABASE_REPLICA_URL && !env.DATABASE_URL) {
      const message = 'goes with DATABASE_URL only, which names the primary that it follows';
      context.addIssue({ code: 'custom', path: ['DATABASE_REPLICA_URL'], message });
    }
    const poolMin = minPoolMax(env.SYNC_CONCURRENCY);
    if (env.DATABASE_POOL_MAX < poolMin) {
      const message = `must be at least ${poolMin} with SYNC_CONCURRENCY=${env.SYNC_CONCURRENCY}`;
      context.addIssue({ code: 'custom', path: ['DATABASE_POOL_MAX'], message });
    }
  });

/** The part of a provider's descriptor that configuration needs. */
interface ProviderEnvironment {
  /** The provider's own variables. */
  readonly environment: z.ZodObject;
}

/** A provider with the values of its variables. */
interface ConfiguredProvider<Descriptor extends ProviderEnvironment> {
  readonly descriptor: Descriptor;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The environment, read once and frozen. */
export class Config<Descriptor extends ProviderEnvironment = ProviderEnvironment> {
  readonly port: number;
  readonly host: string;
  /** Host names of this service besides loopback's and `host`, in lower case. */
  readonly allowedHosts: readonly string[];
  /** Proxies whose `X-Forwarded-*` headers count, as in Express' `trust proxy`. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  /** `null`: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The server behind the pooler in `databaseUrl`; `null`: no pooler, or one that shares no sessions. */
  readonly databaseDirectUrl: string | null;
  /** A server that follows the one in `databaseUrl`; `null`: all is read from that one. */
  readonly databaseReplicaUrl: string | null;
  readonly database: DatabaseSettings;
  /** Absolute path. */
  readonly dataDir: string;
  /** Newest first; `null`: from `appSecretFile`, or generated in `dataDir`. */
  readonly appSecrets: readonly string[] | null;
  /** Absolute path. */
  readonly appSecretFile: string | null;
  /** `null`: this instance schedules nothing. */
  readonly syncCron: string | null;
  /** `null`: this instance schedules no backups. */
  readonly backupCron: string | null;
  /** Absolute path. */
  readonly backupDir: string;
  /** How many backups are kept in `backupDir`. */
  readonly backupKeep: number;
  /** How long rows are kept that no balance is derived from. */
  readonly retentionDays: number;
  readonly syncConcurrency: number;
  readonly maxConnectionsPerPerson: number;
  readonly syncDeadlineMs: number;
  /** Processes behind one port; each is an instance of its own. */
  readonly webConcurrency: number;
  readonly role: 'api' | 'worker' | 'all';
  readonly providerAllowPrivateNetwork: boolean;
  readonly providerTimeoutMs: number;
  /** How long a stopping instance still serves, so that load balancers notice that it is not ready. */
  readonly shutdownDrainMs: number;
  /** `null`: metrics are at /metrics of the service, for callers on this machine. */
  readonly metricsPort: number | null;
  readonly maxEventStreams: number;
  readonly maxEventStreamsPerPerson: number;
  readonly maxEventStreamsPerKey: number;
  /** How long a client of an export or event stream may read nothing. */
  readonly idleReaderTimeoutMs: number;
  /** How long an export may take in all. */
  readonly exportDeadlineMs: number;
  /** `0`: no limit. */
  readonly rateLimitPerMinute: number;
  /** Who may sign up after the first person: only the invited, or everybody. */
  readonly signUp: 'invitation' | 'open';
  /** OTLP endpoint of an OpenTelemetry collector; `null`: no traces. */
  readonly otlpEndpoint: string | null;
  /** Address of the source of the running version, which the licence requires; `null`: not set. */
  readonly sourceUrl: string | null;
  readonly sandbox: boolean;
  readonly logLevel: string;

  constructor(
    env: z.output<typeof ENVIRONMENT>,
    readonly providers: readonly ConfiguredProvider<Descriptor>[],
    /** Unknown variables with the names that were probably meant. */
    readonly misspelt: readonly Misspelt[] = [],
  ) {
    this.port = env.PORT;
    this.host = env.HOST;
    this.allowedHosts = env.ALLOWED_HOSTS;
    this.trustedProxies = env.TRUSTED_PROXIES;
    this.corsOrigins = env.CORS_ORIGINS;
    this.databaseUrl = env.DATABASE_URL ?? null;
    this.databaseDirectUrl = env.DATABASE_DIRECT_URL ?? null;
    this.databaseReplicaUrl = env.DATABASE_REPLICA_URL ?? null;
    this.database = databaseSettings(env);
    this.dataDir = env.DATA_DIR;
    this.appSecrets = env.APP_SECRET ?? null;
    this.appSecretFile = env.APP_SECRET_FILE ?? null;
    this.syncCron = env.SYNC_CRON;
    this.backupCron = env.BACKUP_CRON;
    this.backupDir = env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups');
    this.backupKeep = env.BACKUP_KEEP;
    this.retentionDays = env.RETENTION_DAYS;
    this.syncConcurrency = env.SYNC_CONCURRENCY;
    this.maxConnectionsPerPerson = env.MAX_CONNECTIONS_PER_PERSON;
    this.syncDeadlineMs = env.SYNC_DEADLINE_MS;
    this.webConcurrency = env.WEB_CONCURRENCY;
    this.role = env.ROLE;
    this.providerAllowPrivateNetwork = env.PROVIDER_ALLOW_PRIVATE_NETWORK;
    this.providerTimeoutMs = env.PROVIDER_TIMEOUT_MS;
    this.shutdownDrainMs = env.SHUTDOWN_DRAIN_MS;
    this.metricsPort = env.METRICS_PORT ?? null;
    this.maxEventStreams = env.MAX_EVENT_STREAMS;
    this.maxEventStreamsPerPerson = env.MAX_EVENT_STREAMS_PER_PERSON;
    this.maxEventStreamsPerKey = env.MAX_EVENT_STREAMS_PER_KEY;
    this.idleReaderTimeoutMs = env.IDLE_READER_TIMEOUT_MS;
    this.exportDeadlineMs = env.EXPORT_DEADLINE_MS;
    this.rateLimitPerMinute = env.RATE_LIMIT_PER_MINUTE;
    this.signUp = env.SIGN_UP;
    this.otlpEndpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null;
    this.sourceUrl = env.SOURCE_URL ?? null;
    this.sandbox = env.SANDBOX;
    this.logLevel = env.LOG_LEVEL;
    Object.freeze(this);
  }
}

function databaseSettings(env: z.output<typeof ENVIRONMENT>): DatabaseSettings {
  const request = {
    statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: env.DATABASE_LOCK_TIMEOUT_MS,
    idleInTransactionTimeoutMs: env.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const background = {
    ...request,
    statementTimeoutMs: env.DATABASE_BACKGROUND_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: env.DATABASE_BACKGROUND_LOCK_TIMEOUT_MS,
  };
  const exporting = {
    ...request,
    statementTimeoutMs: env.DATABASE_EXPORT_STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: env.DATABASE_EXPORT_IDLE_TIMEOUT_MS,
  };
  const migration = {
    ...request,
    statementTimeoutMs: env.DATABASE_MIGRATION_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: env.DATABASE_MIGRATION_LOCK_TIMEOUT_MS,
    // The session with the migration lock is idle in its transaction while the other one migrates.
    idleInTransactionTimeoutMs: MAX_TIMEOUT_MS,
  };
  return {
    poolMax: env.DATABASE_POOL_MAX,
    replicaPoolMax: env.DATABASE_REPLICA_POOL_MAX,
    connectTimeoutMs: env.DATABASE_CONNECT_TIMEOUT_MS,
    acquireTimeoutMs: env.DATABASE_ACQUIRE_TIMEOUT_MS,
    limits: { request, background, export: exporting, migration },
  };
}

/** The names of all variables, which a test compares with `.env.example`. */
export function environmentNames(providers: readonly ProviderEnvironment[]): string[] {
  const schemas = [ENVIRONMENT, ...providers.map(({ environment }) => environment)];
  return [...new Set(schemas.flatMap(({ shape }) => Object.keys(shape)))];
}

/**
 * Parses APP_SECRET_FILE: one secret or several, newest first.
 *
 * @param isRequiredStrong whether a weak secret is refused, as in APP_SECRET with DATABASE_URL
 * @throws StartupError with exit code 78
 */
export function parseSecretFile(text: string, path: string, isRequiredStrong: boolean): string[] {
  const { data, error } = appSecrets.safeParse(text);
  const weakness = data && isRequiredStrong ? weaknessOf(data[0]!) : null;
  if (data && !weakness) return data;
  const problem = weakness ? `${weakness}; ${HOW_TO_REPLACE_A_SECRET}` : error?.issues[0]?.message;
  throw new StartupError(`The secret in APP_SECRET_FILE ${path} ${problem}.`, EXIT_CONFIG);
}

/**
 * Reads the environment. A variable set to nothing counts as not set.
 *
 * @param providers of this service, each with a schema of its own variables
 * @param overrides variables that the entry point sets, such as the demo's sandbox
 * @throws StartupError with exit code 78 and the list of all problems, which repeats no values
 */
export function readConfig<Descriptor extends ProviderEnvironment>(
  providers: readonly Descriptor[],
  overrides: NodeJS.ProcessEnv = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config<Descriptor> {
  const given = Object.fromEntries(
    Object.entries({ ...environment, ...overrides }).filter(([, value]) => value?.trim()),
  );
  const problems = new Set<string>();
  const core = readPart(ENVIRONMENT, given, problems);
  const configured = providers.map((descriptor) => {
    const settings = readPart(descriptor.environment, given, problems);
    return { descriptor, settings: Object.freeze(settings ?? {}) };
  });
  const misspelt = findMisspelt(Object.keys(given), environmentNames(providers));
  if (core && problems.size === 0) return new Config(core, configured, misspelt);
  for (const { given, likely } of misspelt) problems.add(`  ${given} is not known; is it ${likely}?`);
  throw new StartupError(`The environment is wrong:\n${[...problems].join('\n')}`, EXIT_CONFIG);
}

/** @param problems gets a line for each invalid value, once for a variable of two schemas */
function readPart<Schema extends z.ZodObject>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
  problems: Set<string>,
): z.output<Schema> | null {
  const { data = null, error } = schema.safeParse(given);
  for (const { path, message } of error?.issues ?? []) problems.add(`  ${path.join('.')} ${message}`);
  return data;
}
