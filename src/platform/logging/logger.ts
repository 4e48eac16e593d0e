import { hostname } from 'node:os';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { redact } from './redact.js';
import type { Config } from '../config/config.js';
import { currentRequest, requestIdOf } from '../request-context.js';

/** Distinguishes the processes that share one database. In a container the host name is that of the container. */
export const INSTANCE = `${hostname()}-${process.pid}`;

/** Keys whose values never reach a log, at the top and one level down. */
const SECRET_KEYS = [
  'credential',
  'password',
  'setup_token',
  'setupToken',
  'api_key',
  'apiKey',
  'key',
  'authorization',
  'cookie',
];

/** Nest logs what it wires at every start, which only helps to debug the wiring. */
const WIRING = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

interface LoggerOptions {
  opened?: readonly string[];
  /** The name of this process, for each line. */
  instance?: string;
  destination?: DestinationStream;
}

const STDERR = () => pino.destination({ fd: 2, sync: true });

/**
 * Nest's logger on pino: one JSON object a line on stderr, since stdout belongs to a command's answer.
 * error = a person must act; warn = failed and will be tried again; info = one line per run; debug = details.
 * The same warning is written three times in ten seconds; `repeated` in the next counts those that were left out.
 */
export class AppLogger implements LoggerService {
  readonly #pino: Logger;
  readonly #opened: ReadonlyMap<unknown, Logger>;
  readonly #repeats = new Repeats();

  /** @param opened contexts that are written from debug on, whatever the level of the others */
  constructor(level: string, { opened = [], instance, destination = STDERR() }: LoggerOptions = {}) {
    const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`]);
    // The whole line, so that no message, stack or field at any depth gets past it.
    const redacted = { write: (line: string) => destination.write(redact(line)) };
    this.#pino = pino(
      { level, base: instance === undefined ? null : { instance }, redact: { paths, censor: '[secret]' } },
      redacted,
    );
    this.#opened = new Map(opened.map((context) => [context, this.#pino.child({}, { level: 'debug' })]));
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.#write(WIRING.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  /** Nest appends the context last and, for errors, the stack before it. */
  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    const context = rest.pop();
    const stack = rest.find((item): item is string => typeof item === 'string');
    const fields = {
      context,
      ...logFields(),
      ...(stack === undefined ? {} : { stack }),
      // Its own message is the line's.
      ...(typeof message === 'object' && !(message instanceof Error) ? { ...message, message: undefined } : {}),
    };
    const text = typeof message === 'string' ? message : messageOf(message);
    const repeated = level === 'warn' ? this.#repeats.admit([text, ...Object.values(fields)].join('\n')) : 0;
    if (repeated === null) return;
    const logger = this.#opened.get(context) ?? this.#pino;
    logger[level](repeated > 0 ? { ...fields, repeated } : fields, text);
  }
}

function messageOf(value: unknown): string {
  if (value instanceof Error) return value.message;
  const text = (value as { message?: unknown } | null)?.message;
  return typeof text === 'string' ? text : '';
}

/** The logger of a configuration. */
export function appLogger(config: Config, level = config.logLevel): AppLogger {
  const opened = config.providers.flatMap(({ descriptor, settings }) => descriptor.openLogContexts?.(settings) ?? []);
  return new AppLogger(level, { opened, instance: INSTANCE });
}

/** In this time the same warning is written a few times. While the database is away, for example, many are the same. */
const WINDOW_MS = 10_000;
const WRITTEN_IN_WINDOW = 3;
/** The oldest is forgotten first. */
const MAX_REMEMBERED = 500;

interface Window {
  sinceMs: number;
  count: number;
}

/** Finds the lines of a log that repeat an earlier one. */
export class Repeats {
  readonly #windows = new Map<string, Window>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns how many of the same lines were left out before this one; `null`: leave this one out, too */
  admit(line: string): number | null {
    const nowMs = this.nowMs();
    const window = this.#windows.get(line);
    if (window && nowMs - window.sinceMs < WINDOW_MS) return ++window.count > WRITTEN_IN_WINDOW ? null : 0;
    this.#windows.delete(line);
    this.#windows.set(line, { sinceMs: nowMs, count: 1 });
    if (this.#windows.size > MAX_REMEMBERED) this.#windows.delete(this.#windows.keys().next().value!);
    return Math.max(0, (window?.count ?? 0) - WRITTEN_IN_WINDOW);
  }
}

/** Logs the warnings of Node.js, which it would print as plain text between the lines of the log. */
export function logNodeWarnings(log: AppLogger): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    if (name === 'DeprecationWarning') log.debug(message, 'Node.js');
    else log.warn(`${name}: ${message}`, 'Node.js');
  });
}

const scopes = new AsyncLocalStorage<Record<string, unknown>>();

/** Every line logged by `work`, and by whatever it calls and waits for, has these fields. */
export function withLogFields<T>(fields: Record<string, unknown>, work: () => T): T {
  return scopes.run({ ...scopes.getStore(), ...fields }, work);
}

/** The fields of the work that is under way, and the id of the request that it serves. */
function logFields(): Record<string, unknown> {
  const response = currentRequest()?.res;
  return { ...(response && { request: requestIdOf(response) }), ...scopes.getStore() };
}
