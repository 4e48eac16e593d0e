import { join } from 'node:path';
import type { z } from 'zod';
import { type DatabaseSettings, databaseSettings, minPoolMax } from './database-settings.js';
import { findMisspelt, type Misspelt } from './misspelt-variables.js';
import { EXIT_CONFIG, StartupError } from './startup-error.js';
import { type Variables, VARIABLES } from './variables.js';
import { HOW_TO_MAKE_A_SECRET, weaknessOfNewest } from './app-secret-text.js';

/** All variables, except those of providers. */
const ENVIRONMENT = VARIABLES.superRefine(checkTogether);

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
    env: Variables,
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

/** The names of all variables, which a test compares with `.env.example`. */
export function environmentNames(providers: readonly ProviderEnvironment[]): string[] {
  const schemas = [ENVIRONMENT, ...providers.map(({ environment }) => environment)];
  return [...new Set(schemas.flatMap(({ shape }) => Object.keys(shape)))];
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
  throw new StartupError(`Invalid environment:\n${[...problems].join('\n')}`, EXIT_CONFIG);
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

/** Of its 200 some are for the command line, leases and the superuser. */
const EMBEDDED_SESSIONS = 180;

/** Refuses values that are right alone and wrong together. */
function checkTogether(env: Variables, context: z.RefinementCtx<Variables>): void {
  const refuse = (name: keyof Variables, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (env.DATABASE_URL && !env.APP_SECRET && !env.APP_SECRET_FILE) {
    refuse('APP_SECRET', `is required with DATABASE_URL; ${HOW_TO_MAKE_A_SECRET}`);
  }
  if (env.APP_SECRET && env.APP_SECRET_FILE) refuse('APP_SECRET', 'must not be set together with APP_SECRET_FILE');
  const weakness = env.DATABASE_URL && env.APP_SECRET ? weaknessOfNewest(env.APP_SECRET) : null;
  if (weakness) refuse('APP_SECRET', weakness);
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL) {
    refuse('DATABASE_DIRECT_URL', 'goes with DATABASE_URL only, which names the pooler in front of the same database');
  }
  if (env.METRICS_PORT === env.PORT && env.PORT !== 0) refuse('METRICS_PORT', 'must be another than PORT');
  if (env.SANDBOX && env.WEB_CONCURRENCY > 1) {
    refuse('WEB_CONCURRENCY', 'must be 1 with SANDBOX, whose banks live in one process');
  }
  const sessions = env.WEB_CONCURRENCY * env.DATABASE_POOL_MAX;
  if (!env.DATABASE_URL && sessions > EMBEDDED_SESSIONS) {
    refuse(
      'WEB_CONCURRENCY',
      `times DATABASE_POOL_MAX is ${sessions}, and the embedded PostgreSQL has ${EMBEDDED_SESSIONS} sessions`,
    );
  }
  if (env.DATABASE_REPLICA_URL && !env.DATABASE_URL) {
    refuse('DATABASE_REPLICA_URL', 'goes with DATABASE_URL only, which names the primary that it follows');
  }
  const poolMin = minPoolMax(env.SYNC_CONCURRENCY);
  if (env.DATABASE_POOL_MAX < poolMin) {
    refuse('DATABASE_POOL_MAX', `must be at least ${poolMin} with SYNC_CONCURRENCY=${env.SYNC_CONCURRENCY}`);
  }
}
