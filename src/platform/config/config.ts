import { z } from 'zod';
import { DATABASE_LIMITS, type DatabaseLimits, type DatabaseSettings, databaseSettings } from './database-settings.js';
import { minPoolMax } from './pool-sizes.js';
import { findMisspelt, type Misspelt } from './misspelt-variables.js';
import { EXIT_CONFIG, StartupError } from './startup-error.js';
import { SERVICE_SETTINGS, type ServiceSettings } from './service-settings.js';
import { HOW_TO_MAKE_A_SECRET, weaknessOfNewest } from './app-secret-text.js';

/** The part of a provider's descriptor that configuration needs. */
interface ProviderEnvironment {
  /** The provider's own variables. */
  readonly environment: z.ZodObject;
  /** Contexts of loggers that write at any LOG_LEVEL. */
  openLogContexts?(settings: Readonly<Record<string, unknown>>): readonly string[];
}

/** The part of a module's descriptor that configuration needs. */
interface ModuleSettings {
  readonly settings?: z.ZodObject;
}

/** A provider with the values of its variables. */
interface ConfiguredProvider<Descriptor extends ProviderEnvironment> {
  readonly descriptor: Descriptor;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The values of the schema as members, so that each is named there only. */
const Settings = class {
  constructor(settings: ServiceSettings) {
    Object.assign(this, settings);
  }
} as new (settings: ServiceSettings) => Readonly<ServiceSettings>;

/** The environment, read once and frozen. */
export class Config<Descriptor extends ProviderEnvironment = ProviderEnvironment> extends Settings {
  /** Whether tasks have their times here; not in a command, which ends with its work. */
  readonly hasSchedule: boolean = true;

  constructor(
    settings: ServiceSettings,
    readonly database: DatabaseSettings,
    readonly providers: readonly ConfiguredProvider<Descriptor>[],
    /** Unknown variables with the names that were probably meant. */
    readonly misspelt: readonly Misspelt[],
    /** Variables that name a proxy, which no request uses. */
    readonly unusedProxies: readonly string[],
    /** The values of the variables of modules, by their schemas. */
    readonly modules: ReadonlyMap<z.ZodObject, object>,
  ) {
    super(settings);
    Object.freeze(this);
  }
}

/**
 * The values of a module's environment variables.
 *
 * @param schema `settings` of its descriptor
 * @throws Error where the module is not installed
 */
export function settingsOf<Schema extends z.ZodObject>(config: Config, schema: Schema): Readonly<z.output<Schema>> {
  const values = config.modules.get(schema);
  if (!values) throw new Error('These settings are of a module that is not installed.');
  return values as Readonly<z.output<Schema>>;
}

/** The variable that sets a setting of ours: DATA_DIR sets `dataDir`. */
const variableOf = (setting: string) => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** A variable of the environment, as `.env.example` shows it. */
interface EnvironmentVariable {
  readonly name: string;
  /** As the variable would be written; empty: not set. */
  readonly default: string;
  /** Empty: that of the variable before it speaks of both. */
  readonly description: string;
}

/** Each variable once, in the order of the schemas. */
export function environmentVariables(
  providers: readonly ProviderEnvironment[],
  modules: readonly ModuleSettings[],
): EnvironmentVariable[] {
  const parts: [z.ZodObject, (key: string) => string][] = [
    [SERVICE_SETTINGS, variableOf],
    [DATABASE_LIMITS, variableOf],
    ...[...providers.map(({ environment }) => environment), ...schemasOf(modules)].map(
      (schema): [z.ZodObject, (key: string) => string] => [schema, (name) => name],
    ),
  ];
  const variables = parts.flatMap(([{ shape }, nameOf]) =>
    Object.entries<z.ZodType>(shape).map(([key, schema]) => {
      const value = schema instanceof z.ZodPrefault ? schema.def.defaultValue : '';
      if (typeof value !== 'string') throw new Error(`${nameOf(key)} has a default that no environment can have`);
      return { name: nameOf(key), default: value, description: schema.description ?? '' };
    }),
  );
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

function schemasOf(modules: readonly ModuleSettings[]): z.ZodObject[] {
  return modules.flatMap(({ settings }) => settings ?? []);
}

/**
 * MikroORM merges these under its options, where they would set what the options leave out. One of them prints every
 * statement to stdout, which belongs to the answers of commands.
 */
function dropVariablesOfMikroOrm(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (name.startsWith('MIKRO_ORM_')) delete environment[name];
}

/**
 * Reads the environment, and drops variables of it that MikroORM would read. A variable set to nothing counts as not set.
 *
 * @param providers of this service, each with a schema of its own variables
 * @param modules which may have variables, too
 * @param overrides variables that the entry point sets, such as the demo's sandbox
 * @throws StartupError with exit code 78 and the list of all problems, which repeats no values
 */
export function readConfig<Descriptor extends ProviderEnvironment>(
  providers: readonly Descriptor[],
  modules: readonly ModuleSettings[],
  overrides: NodeJS.ProcessEnv = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config<Descriptor> {
  const given = Object.fromEntries(
    Object.entries({ ...environment, ...overrides }).filter(([, value]) => value?.trim()),
  );
  dropVariablesOfMikroOrm(environment);
  const problems = new Set<string>();
  const service = readPart(SERVICE_SETTINGS, given, problems, variableOf);
  const sessions = readPart(DATABASE_LIMITS, given, problems, variableOf);
  const configured = providers.map((descriptor) => {
    const settings = readPart(descriptor.environment, given, problems);
    return { descriptor, settings: Object.freeze(settings) };
  });
  const ofModules = new Map(
    schemasOf(modules).map((schema) => [schema, Object.freeze(readPart(schema, given, problems))]),
  );
  for (const [variable, message] of contradictions({ ...service, ...sessions }))
    problems.add(`  ${variable} ${message}`);
  const misspelt = findMisspelt(
    Object.keys(given),
    environmentVariables(providers, modules).map(({ name }) => name),
  );
  if (problems.size === 0) {
    const database = databaseSettings(sessions as DatabaseLimits);
    const unusedProxies = Object.keys(given).filter((name) => /^(?:https|all)_proxy$/i.test(name));
    return new Config(service as ServiceSettings, database, configured, misspelt, unusedProxies, ofModules);
  }
  for (const { given, likely } of misspelt) problems.add(`  ${given} is not known; is it ${likely}?`);
  throw new StartupError(`Invalid environment:\n${[...problems].join('\n')}`, EXIT_CONFIG);
}

/**
 * @param problems gets a line for each invalid value, once for a variable of two schemas
 * @param nameOf the variable of a key; default: the key itself
 * @returns the valid values; the others are left out
 */
function readPart<Schema extends z.ZodObject>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
  problems: Set<string>,
  nameOf = (key: string) => key,
): Partial<z.output<Schema>> {
  const values = Object.fromEntries(Object.keys(schema.shape).map((key) => [key, given[nameOf(key)]]));
  const { success, data, error } = schema.safeParse(values);
  if (success) return data;
  for (const { path, message } of error.issues) problems.add(`  ${nameOf(String(path[0]))} ${message}`);
  const valid = Object.entries<z.ZodType>(schema.shape).flatMap(([key, one]) => {
    const { success, data } = one.safeParse(values[key]);
    return success ? [[key, data]] : [];
  });
  return Object.fromEntries(valid) as Partial<z.output<Schema>>;
}

/** Of its 200 some are for the command line, leases and the superuser. */
const EMBEDDED_SESSIONS = 180;

/**
 * Variables whose values are right alone and wrong together, and why. A value that is wrong alone is missing here, and no
 * comparison with it is true: one that is not set is `null`.
 */
function* contradictions(settings: Partial<ServiceSettings & DatabaseLimits>): Generator<[string, string]> {
  const { databaseUrl, appSecret, appSecretFile, port, metricsPort } = settings;
  const { syncConcurrency = NaN, databasePoolMax: poolMax = NaN } = settings;
  if (databaseUrl && appSecret === null && appSecretFile === null) {
    yield ['APP_SECRET', `is required with DATABASE_URL; ${HOW_TO_MAKE_A_SECRET}`];
  }
  if (appSecret && appSecretFile) yield ['APP_SECRET', 'must not be set together with APP_SECRET_FILE'];
  const weakness = databaseUrl && appSecret ? weaknessOfNewest(appSecret) : null;
  if (weakness) yield ['APP_SECRET', weakness];
  if (settings.databaseDirectUrl && databaseUrl === null) {
    yield ['DATABASE_DIRECT_URL', 'requires DATABASE_URL, which names the pooler in front of the same database'];
  }
  if (port && metricsPort === port) yield ['METRICS_PORT', 'must differ from PORT'];
  if (databaseUrl === null && poolMax > EMBEDDED_SESSIONS) {
    yield ['DATABASE_POOL_MAX', `must be at most ${EMBEDDED_SESSIONS}, the sessions of the embedded PostgreSQL`];
  }
  const poolMin = minPoolMax(syncConcurrency);
  if (poolMax < poolMin) {
    yield ['DATABASE_POOL_MAX', `must be at least ${poolMin} with SYNC_CONCURRENCY=${syncConcurrency}`];
  }
}
