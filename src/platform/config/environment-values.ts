import { resolve } from 'node:path';
import { CronTime } from 'cron';
import { z } from 'zod';

// Schemas for the values of environment variables, used by the schemas of this folder, of providers and of modules.

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/** A day. */
export const MAX_TIMEOUT_MS = 86_400_000;
const MIN_TIMEOUT_MS = 100;

export const timeoutMs = () => integer(MIN_TIMEOUT_MS, MAX_TIMEOUT_MS);

export const oneOf = <const T extends string[]>(...values: T) =>
  z.string().refine((value): value is T[number] => values.includes(value), `must be one of: ${values.join(', ')}`);

export const flag = oneOf('0', '1').transform((value) => value === '1');

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** Of a scheduled task, in UTC; `null`: off. */
export const cron = z
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

export const absolutePath = z.string().transform((path) => resolve(path));

export const schemeOf = (text: string) => (URL.canParse(text) ? new URL(text).protocol : '');

export const httpUrl = z.string().refine((text) => ['http:', 'https:'].includes(schemeOf(text)), {
  message: 'must be an http or https address',
  abort: true,
});

/** For an address to which paths are added. */
export const baseUrl = httpUrl
  .refine((text) => !/[?#]/.test(text), 'must be an address without ? and #')
  .transform((text) => new URL(text).href.replace(/\/$/, ''));

/** A provider whose rules depend on it repeats it in its schema. */
export const PROVIDER_ALLOW_PRIVATE_NETWORK = flag
  .prefault('0')
  .describe(
    '1: loopback and private addresses and plain http are allowed for providers and addresses that people enter. For tests and the sandbox only.',
  );

/** For a variable that need not be set. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);
