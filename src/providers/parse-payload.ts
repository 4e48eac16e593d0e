import { z } from 'zod';
import type { ProviderReply } from './http/provider-http.js';
import { ProviderError } from './provider-error.js';
import { looksLikeHtml } from './read-values.js';

/** A valid value, or the first validation issue with its place. An issue quotes nothing of the value. */
export type Checked<T> = { value: T; issue: null } | { value: null; issue: string };

/** @param path place of the value in the answer, `$.accounts[3]` */
export function check<T>(schema: z.ZodType<T>, value: unknown, path = '$'): Checked<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, issue: null };
  const issue = parsed.error.issues[0]!;
  const steps = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return { value: null, issue: `${path}${steps.join('')}: ${issue.message}` };
}

/**
 * Parses and validates the body of a provider's answer.
 *
 * @param what the subject of the error's sentence: "The provider’s answer"
 * @throws ProviderError `unexpected_reply` that names the place of the issue and quotes nothing of the body
 */
export function parsePayload<T>(schema: z.ZodType<T>, { body }: Pick<ProviderReply, 'body'>, what: string): T {
  const { value, issue } = check(schema, parseBody(body, what));
  if (issue === null) return value;
  throw new ProviderError('unexpected_reply', `${what} is not as expected at ${issue}.`);
}

/** The accounts of a list that are valid. */
export interface CheckedAccounts<T> {
  accounts: T[];
  /** Invalid accounts; `id` unless even that is invalid. */
  issues: { id: string | null; issue: string }[];
}

/**
 * Checks accounts one by one, so that an invalid one does not invalidate the others.
 *
 * @param what the subject of the error's sentence: "The provider’s answer"
 * @throws ProviderError `unexpected_reply` when no account is valid; `answer_too_large`
 */
export function checkAccounts<T>(schema: z.ZodType<T>, items: readonly unknown[], what: string): CheckedAccounts<T> {
  const checked: CheckedAccounts<T> = { accounts: [], issues: [] };
  for (const [index, item] of items.entries()) {
    const { value, issue } = check(schema, item, `$.accounts[${index}]`);
    if (issue === null) checked.accounts.push(value);
    else checked.issues.push({ id: check(IDENTIFIED, item).value?.id ?? null, issue });
  }
  const [first] = checked.issues;
  if (first && checked.accounts.length === 0) {
    throw new ProviderError('unexpected_reply', `${what} is not as expected at ${first.issue}.`);
  }
  return checked;
}

/** An id that is a number of so many digits that it may not be exact. */
const LONG_ID = /id"\s*:\s*-?\d{16}/i;

/** TypeScript does not know the third argument yet. */
const parseJson = JSON.parse as (
  text: string,
  revive?: (name: string, value: unknown, context: { source: string }) => unknown,
) => unknown;

function parseBody(body: string, what: string): unknown {
  try {
    // A reviver takes ten times as long, so it is for such ids alone.
    return parseJson(body, LONG_ID.test(body) ? withItsDigits : undefined);
  } catch {
    throw new ProviderError('unexpected_reply', `${what} ${stateOf(body)}; the provider may be under maintenance.`);
  }
}

/** Ids that differ only in their last digits would be one. */
function withItsDigits(name: string, value: unknown, { source }: { source: string }): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /id$/i.test(name) ? source : value;
}

function stateOf(body: string): string {
  if (body.trim() === '') return 'is empty';
  if (looksLikeHtml(body)) return 'is a web page';
  return /^\s*[[{]/.test(body) ? 'is cut off or damaged' : 'is not JSON';
}

// Schemas of values that providers do not always send in the documented type.

/** A decimal number or its text, as text. Exact for every number that JSON represents exactly. */
export const decimal = z.preprocess((value) => (typeof value === 'number' ? decimalTextOf(value) : value), z.string());

/** Text, or a number in its place. */
export const text = z.union([z.string(), z.number().transform(String)]).nullish();

/** Any other text is an issue, because no word of a provider may count as false. */
export const wireFlag = z.union([
  z.boolean(),
  z.number().transform((value) => value !== 0),
  z
    .string()
    .trim()
    .regex(/^(0|1|true|false|)$/i)
    .transform((value) => /1|true/i.test(value)),
]);

/** Up to 200 visible characters. */
export const id = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^ {0,9}[^\s\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]{0,199}$/u));

/** Without an exponent. */
function decimalTextOf(value: number): string {
  const usual = String(value);
  return usual.includes('e-') ? value.toFixed(20).replace(/0+$/, '') : usual;
}

/** The least that identifies an invalid account. */
const IDENTIFIED = z.object({ id });
