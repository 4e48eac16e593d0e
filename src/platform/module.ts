import type { EntityClass } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import type { ClientBase } from 'pg';
import { satisfies } from 'semver';
import type { z } from 'zod';
import { EXIT_CONFIG, StartupError } from './config/startup-error.js';
import type { Config } from './config/config.js';
import type { Values } from './command.js';
import type { Lifecycle } from './lifecycle.js';

/**
 * What a part of the service brings: a room of Tidemark, or a module beside it. Everything that belongs to many parts, such
 * as the export of a person's data, is collected from these.
 */
export interface Part {
  /** In kebab-case. */
  readonly name: string;
  /** Its Nest module, and so all that this imports. Its routes are guarded and documented like all others. */
  readonly module?: Type;
  readonly entities?: readonly EntityClass<object>[];
  /** Tables with rows of a person, which its export shows. Each has a column `user_id`. */
  readonly personalData?: readonly PersonalTable[];
  /** Tables with a column `user_id` whose rows tell a person nothing, and so are in no export. */
  readonly notExported?: readonly string[];
  /** What an API key may be allowed to do, each with a sentence about it. */
  readonly scopes?: Readonly<Partial<Record<Scope, string>>>;
  /** Those of them that concern records of accounts only: keys that are limited to accounts may have them. */
  readonly accountScopes?: readonly Scope[];
  /**
   * Tables whose rows of a person a transaction locks before it writes rows that refer to the person. The deletion of a
   * person locks them in this order, part by part from the last one.
   */
  readonly lockedBeforeDeletion?: readonly string[];
  /** Removes rows that grow with time, every night, by the name in the log. */
  readonly retention?: Readonly<Record<string, Prune>>;
  /** What the audit trail records of it, by kind, such as `goal_removed`. */
  readonly auditEvents?: Readonly<Record<string, AuditText>>;
  /** Tables with secrets that the credential vault has sealed. */
  readonly sealed?: readonly SealedTable[];
  /** Read from the database at each scrape of the metrics. */
  readonly gauges?: readonly DatabaseGauge[];
  /** Where its pages are; their controllers belong to its Nest module. */
  readonly pages?: readonly PageLink[];
  /** What a person has to look at, for the overview. */
  readonly attention?: (userId: string, get: Get) => Promise<readonly Attention[]>;
  /** Commands of the command line by their names, such as `goals:list`. */
  readonly commands?: Readonly<Record<string, Command>>;
  /** Its records that the change feed has, so that clients can keep copies of them. */
  readonly changes?: readonly ChangedRecords[];
  /** What an assistant may read, where one is connected. */
  readonly tools?: readonly Tool[];
  /** What `doctor` says of it. The session is `null` where the tables are not yet those of this version. */
  readonly checks?: (config: Config, session: ClientBase | null) => Promise<readonly Check[]>;
  /** Work at certain times. One instance does it, for all. */
  readonly tasks?: readonly Task[];
  /**
   * Moves what the tables have of an account that is merged into another, in the transaction that then deletes it. Missing:
   * those rows are deleted with it.
   */
  readonly onMerge?: (em: EntityManager, merged: MergedAccounts) => Promise<unknown>;
  /** Notes the changes to records that go with accounts, in the transaction that then deletes them. */
  readonly onDelete?: (em: EntityManager, deleted: DeletedAccounts) => Promise<unknown>;
}

/**
 * Of src/kit.ts, by semantic versioning: within a major version nothing is renamed or taken out, and nothing changes what
 * it does. docs/extend/kit.md says what each version brought.
 */
export const KIT_VERSION = '1.0.0';

/** A module beside the core. docs/extend/module.md builds one. */
export interface TidemarkModule extends Part {
  /** The versions of the kit with which it works, such as `^1.0`. */
  readonly needs?: string;
  /** The group of its routes in the API document: the text of `@ApiTags`, and a sentence about it. */
  readonly tag?: { readonly name: string; readonly description: string };
  /**
   * Its environment variables: their names, which begin with that of the module, with validation, defaults and
   * descriptions. `settingsOf` of the configuration has their values.
   */
  readonly settings?: z.ZodObject;
  /**
   * What it does after the commit of what happened: in order for each person, on one instance, again and later after an
   * error. After a long rest of the module changes come as one event without accounts.
   */
  readonly on?: Readonly<Partial<Record<EventType, EventHandler>>>;
  /** Gives the person of the demo something to see, once its banks are connected. @param receiverUrl accepts any request */
  readonly demo?: (get: Get, person: { userId: string; receiverUrl: string }) => Promise<unknown>;
  /** A table with a column `user_id`: `on` hears of people who have rows in it. Missing: of everybody. */
  readonly onlyFor?: string;
  /** Named by the time when they were written, by which they run among those of Tidemark. */
  readonly migrations?: readonly MigrationClass[];
}

/** As `resource:action`. */
export type Scope = `${string}:${'read' | 'write'}`;

export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

/**
 * A link to a page of a part: in the navigation, on the overview beside what adds accounts, on the page of each account, whose
 * id the page gets as `account_id`, or on the settings page with a sentence about it.
 */
export type PageLink =
  | { readonly place: 'navigation' | 'home' | 'account'; readonly path: string; readonly text: string }
  | {
      readonly place: 'settings';
      readonly path: string;
      readonly text: string;
      readonly about: string;
      readonly link: string;
    };

/** A sentence, and where to see what to do. */
export interface Attention {
  readonly text: string;
  readonly path: string;
}

/** The result of one check of `doctor`. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** What to do; `null`: nothing. */
  readonly advice: string | null;
}

/** What modules can hear of. Changes name accounts; the others one record. */
export const EVENT_TYPES = [
  'balances.changed',
  'transactions.changed',
  'sync.finished',
  'connection.attention_required',
  'connection.recovered',
  'account.merged',
  'account.deleted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface ModuleEvent {
  readonly type: EventType;
  readonly userId: string;
  /** When it was committed. */
  readonly at: Date;
  /** Of changes: the accounts; `null`: any of them may have changed. */
  readonly accountIds: readonly string[] | null;
  /** Of the others: the sync, the connection, or the account: the one that was deleted, or merged into. */
  readonly subjectId: string | null;
}

/** Runs in the transaction that remembers how far the module has heard: its rows are written once, calls to others at least once. */
export type EventHandler = (event: ModuleEvent, get: Get) => Promise<unknown>;

/** Gives an injectable of the running application. */
export type Get = <T>(type: Type<T> | Abstract<T>) => T;

export function getterOf(moduleRef: ModuleRef): Get {
  return (type) => moduleRef.get(type, { strict: false });
}

/** Who asks: the person, and what the key is limited to. */
export interface Caller {
  userId: string;
  apiKeyId: string;
  /** Which secret of the key was sent: after a rotation a key has two for a while. */
  secretId: string;
  scopes: readonly string[];
  /** The accounts that the key is limited to; `null`: all. */
  accountIds: readonly string[] | null;
  /** IANA name; decides which day it is for this person. */
  timeZone: string;
}

/** A kind of records in the change feed. Transactions name those that they change: `noteChanges(userId, { kind, ids })`. */
export interface ChangedRecords {
  /** As the list is called: `goals`. */
  readonly kind: string;
  /** Of the keys that read them. */
  readonly scope: Scope;
  /** Has the columns `user_id` and `id`. */
  readonly table: string;
  /** Of one record, as in the list. */
  readonly response: Type<object>;
  /** Gives those with these ids that exist and that the caller may see. */
  read(caller: Pick<Caller, 'userId' | 'accountIds'>, ids: readonly string[], get: Get): Promise<readonly object[]>;
}

/** A list of the API as a tool of assistants. It only reads. */
export interface Tool<Query extends object = object> {
  /** Such as `list_goals`. */
  readonly name: string;
  readonly title: string;
  /** When to use it, and what the answer tells. */
  readonly description: string;
  /** Of the key that may use it. */
  readonly scope: Scope;
  /** The query of the list, whose parameters the tool has. */
  readonly query: Type<Query>;
  /** Gives what the list answers. */
  read(caller: Caller, query: Query, get: Get): Promise<object>;
}

/**
 * Describes a tool of assistants.
 *
 * @example
 *   tools: [defineTool({ name: 'list_goals', …, query: PageQuery, read: (caller, query, get) => get(GoalsController).list(caller, query) })]
 */
export function defineTool<Query extends object>(tool: Tool<Query>): Tool {
  return tool;
}

export interface Task {
  /** In the log, and in the database: it never changes. */
  readonly name: string;
  /** In UTC, five or six fields; `null`: never. */
  readonly cron: (config: Config) => string | null;
  /** The first tick of a day does it for the day, and the others only if that one was missed. */
  readonly isDaily?: boolean | undefined;
  /** @param stopping aborts when the instance stops; the task is then done again, by another one */
  readonly run: (get: Get, stopping: AbortSignal) => Promise<unknown>;
}

/** A command of the command line. Its answer is printed as JSON. */
export interface Command {
  summary: string;
  /** Name of the operand. */
  operand?: string;
  /** An option without a value is a flag. */
  options: Record<string, { value?: string; required: boolean }>;
  /** Checks values before anything starts. @throws UsageError */
  check?: (values: Values) => void;
  /** Asks for missing values. @throws UsageError */
  complete?: (values: Values, stopping: AbortSignal) => Promise<Values>;
  /** Whether the answer reports a failure, for exit code 1. */
  isBad?: (answer: object) => boolean;
  /** @throws RefusedError */
  run: (values: Values, context: CommandContext) => Promise<object>;
}

export interface CommandContext {
  lifecycle: Lifecycle;
  /** Beside the core, of this installation. */
  modules: readonly TidemarkModule[];
  /**
   * Does work in an application of the command's own, also while the service runs.
   *
   * @param options.needsWorker whether this process also does the jobs that the command adds
   */
  inApplication: <T>(
    work: (app: INestApplicationContext) => Promise<T>,
    options?: { needsWorker?: boolean },
  ) => Promise<T>;
}

/** Removes rows of one person that ended before a moment, a bounded number at a time. @returns how many it removed */
export type Prune = (em: EntityManager, userId: string, before: Date) => Promise<number>;

export interface DeletedAccounts {
  readonly userId: string;
  readonly accountIds: readonly string[];
}

export interface MergedAccounts {
  readonly userId: string;
  readonly fromId: string;
  readonly intoId: string;
}

export interface PersonalTable {
  /** What each line of the export is called. */
  readonly type: string;
  readonly table: string;
  /** Columns that are nobody's to read: hashes and credentials. */
  readonly without?: readonly string[];
  /** The part of paths before ids of its rows, which have `id` and `created_at`: the documentation fills in the newest. */
  readonly path?: string;
}

/** For a person. */
export interface AuditText {
  readonly text: string;
  /** Words that ask the person to look at it. */
  readonly alarm?: string;
}

/** Its rows have `user_id`, `id` and `credential`. */
export interface SealedTable {
  readonly table: string;
  /** What its rows are, for an operator. */
  readonly text: string;
  /** In SQL, what follows once rows are deleted because their key is lost. */
  readonly afterLoss?: string;
}

export interface DatabaseGauge {
  /** It begins with `tidemark_`. */
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Each row is a sample: `value`, and the labels. */
  readonly sql: string;
}

/**
 * Describes a module.
 *
 * @example
 *   export const goals = defineModule({ name: 'goals', module: GoalsModule, entities: [Goal] });
 */
export function defineModule(module: TidemarkModule): TidemarkModule {
  made.add(module);
  return Object.freeze(module);
}

const made = new WeakSet<TidemarkModule>();

/** Nest injects by class, and a second copy of Tidemark has other classes: its modules cannot be used with this one. */
export function isOfThisKit(module: TidemarkModule): boolean {
  return made.has(module);
}

/** The parts of this installation, injectable. */
export class Installed {
  readonly parts: readonly Part[];

  constructor(
    rooms: readonly Part[],
    /** Beside the core. */
    readonly modules: readonly TidemarkModule[],
  ) {
    this.parts = [...rooms, ...modules];
    modules.forEach(requireKit);
    modules.forEach(requireTaskNames);
  }
}

/** @throws StartupError */
function requireKit({ name, needs = '*' }: TidemarkModule): void {
  if (satisfies(KIT_VERSION, needs)) return;
  throw new StartupError(
    `The module ${name} needs the kit ${needs}, and this is ${KIT_VERSION}: install a version of the module for it.`,
    EXIT_CONFIG,
  );
}

/** @throws StartupError */
function requireTaskNames({ name, tasks = [] }: TidemarkModule): void {
  const other = tasks.find((task) => !/^[\w./-]+$/.test(task.name));
  if (!other) return;
  const message = `The task “${other.name}” of the module ${name} must be named with letters, digits and dashes: missed-goals.`;
  throw new StartupError(message, EXIT_CONFIG);
}

/** The entities of all parts. */
export function entitiesOf(parts: readonly Part[]): EntityClass<object>[] {
  return parts.flatMap(({ entities = [] }) => entities);
}
