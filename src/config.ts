import { resolve } from 'node:path';
import { validateCronExpression } from 'cron';
import { z } from 'zod';
import type { ProviderDescriptor } from './bank-provider/provider-descriptor.js';
import { flag, integer, list, oneOf, PROVIDER_ALLOW_PRIVATE_NETWORK, schemeOf } from './environment-values.js';
import { StartupError } from './startup-error.js';

/** `EX_CONFIG` of sysexits: the environment is wrong, starting again will not help. */
const EXIT_CONFIG = 78;
const MIN_SECRET_CHARS = 16;

const cron = z
  .string()
  .refine((text) => text === 'off' || validateCronExpression(text).valid, 'must be a cron expression, or off')
  .transform((text) => (text === 'off' ? null : text));

const databaseUrl = z
  .string()
  .refine((text) => ['postgres:', 'postgresql:'].includes(schemeOf(text)), 'must be a postgresql:// address');

const appSecrets = list
  .refine((secrets) => secrets.length > 0, 'must not be empty')
  .refine(
    (secrets) => secrets.every((secret) => secret.length >= MIN_SECRET_CHARS),
    `must have at least ${MIN_SECRET_CHARS} characters in each secret; make one with: openssl rand -base64 32`,
  );

/** Every variable the service reads besides those of the providers, with its default. */
const ENVIRONMENT = z
  .object({
    PORT: integer(0, 65535).default(3000),
    HOST: z.string().default('127.0.0.1'),
    DATABASE_URL: databaseUrl.optional(),
    DATA_DIR: z
      .string()
      .default('./.data')
      .transform((path) => resolve(path)),
    APP_SECRET: appSecrets.optional(),
    SYNC_CRON: cron.default('17 */6 * * *'),
    SYNC_CONCURRENCY: integer(1, 100).default(4),
    SYNC_DEADLINE_MS: integer(100, 2_400_000).default(1_800_000),
    ROLE: oneOf('api', 'worker', 'all').default('all'),
    PROVIDER_ALLOW_PRIVATE_NETWORK,
    PROVIDER_TIMEOUT_MS: integer(100, 600_000).default(60_000),
    METRICS_PORT: integer(0, 65535).optional(),
    RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000).default(600),
    SIGN_UP: oneOf('invitation', 'open').default('invitation'),
    SANDBOX: flag.default(false),
    LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  })
  .superRefine((env, context) => {
    if (env.DATABASE_URL && !env.APP_SECRET) {
      context.addIssue({
        code: 'custom',
        path: ['APP_SECRET'],
        message: 'is required with DATABASE_URL; make one with: openssl rand -base64 32',
      });
    }
  });

/** A provider of this service and the values of its own variables. */
export interface ConfiguredProvider {
  readonly descriptor: ProviderDescriptor;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The environment, read once and frozen. Injectable by its class. */
export class Config {
  readonly port: number;
  readonly host: string;
  /** `null`: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Absolute path. */
  readonly dataDir: string;
  /** Newest first; `null`: generated into `dataDir`. */
  readonly appSecrets: readonly string[] | null;
  /** `null`: this instance schedules nothing. */
  readonly syncCron: string | null;
  readonly syncConcurrency: number;
  readonly syncDeadlineMs: number;
  readonly role: 'api' | 'worker' | 'all';
  readonly providerAllowPrivateNetwork: boolean;
  readonly providerTimeoutMs: number;
  /** `null`: at /metrics of the service, for callers on this machine. */
  readonly metricsPort: number | null;
  /** `0`: no limit. */
  readonly rateLimitPerMinute: number;
  /** Who may sign up on the pages besides the first person: the invited, or everybody. */
  readonly signUp: 'invitation' | 'open';
  readonly sandbox: boolean;
  readonly logLevel: string;

  constructor(
    env: z.output<typeof ENVIRONMENT>,
    readonly providers: readonly ConfiguredProvider[],
  ) {
    this.port = env.PORT;
    this.host = env.HOST;
    this.databaseUrl = env.DATABASE_URL ?? null;
    this.dataDir = env.DATA_DIR;
    this.appSecrets = env.APP_SECRET ?? null;
    this.syncCron = env.SYNC_CRON;
    this.syncConcurrency = env.SYNC_CONCURRENCY;
    this.syncDeadlineMs = env.SYNC_DEADLINE_MS;
    this.role = env.ROLE;
    this.providerAllowPrivateNetwork = env.PROVIDER_ALLOW_PRIVATE_NETWORK;
    this.providerTimeoutMs = env.PROVIDER_TIMEOUT_MS;
    this.metricsPort = env.METRICS_PORT ?? null;
    this.rateLimitPerMinute = env.RATE_LIMIT_PER_MINUTE;
    this.signUp = env.SIGN_UP;
    this.sandbox = env.SANDBOX;
    this.logLevel = env.LOG_LEVEL;
    Object.freeze(this);
  }
}

/** The names of all variables, for the test that compares them with `.env.example`. */
export function environmentNames(providers: readonly ProviderDescriptor[]): string[] {
  const schemas = [ENVIRONMENT, ...providers.map(({ environment }) => environment)];
  return [...new Set(schemas.flatMap(({ shape }) => Object.keys(shape)))];
}

/**
 * Reads the environment. A variable set to nothing counts as not set.
 *
 * @param providers of this service, each with a schema of its own variables
 * @param overrides what an entry point decides, whatever the environment says (the demo: its sandbox)
 * @throws StartupError with exit code 78 and the whole list of what is wrong; values are never repeated
 */
export function readConfig(
  providers: readonly ProviderDescriptor[],
  overrides: NodeJS.ProcessEnv = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  const given = Object.fromEntries(
    Object.entries({ ...environment, ...overrides }).filter(([, value]) => value?.trim()),
  );
  const problems = new Set<string>();
  const core = readPart(ENVIRONMENT, given, problems);
  const configured = providers.map((descriptor) => {
    const settings = readPart(descriptor.environment, given, problems);
    return { descriptor, settings: Object.freeze(settings ?? {}) };
  });
  if (core && problems.size === 0) return new Config(core, configured);
  throw new StartupError(`The environment is wrong:\n${[...problems].join('\n')}`, EXIT_CONFIG);
}

/** @param problems gets a line for each value that is wrong; one that two schemas read is the same line twice */
function readPart<Schema extends z.ZodObject>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
  problems: Set<string>,
): z.output<Schema> | null {
  const { data = null, error } = schema.safeParse(given);
  for (const { path, message } of error?.issues ?? []) problems.add(`  ${path.join('.')} ${message}`);
  return data;
}
