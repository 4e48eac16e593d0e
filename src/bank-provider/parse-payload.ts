import type { z } from 'zod';
import { type PartlyParsed, wholeOf } from './json-in-parts.js';
import { ProviderError } from './provider-error.js';
import { looksLikeHtml } from './text.js';

/** A value that was checked, or where and how it surprises; nothing of the value itself is quoted. */
export type Checked<T> = { value: T; surprise: null } | { value: null; surprise: string };

/**
 * @param path where the value stands in the whole, `$.accounts[3]`
 */
export function check<T>(schema: z.ZodType<T>, value: unknown, path = '$'): Checked<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, surprise: null };
  const [issue] = parsed.error.issues;
  const steps = (issue?.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return { value: null, surprise: `${path}${steps.join('')}: ${issue?.message ?? 'Invalid input'}` };
}

/**
 * A provider's body as a checked value.
 *
 * @param what begins the sentence about a surprise: "The provider’s answer"
 * @throws ProviderError `unexpected_reply` that names the place of the surprise and quotes nothing of the body
 */
export function parsePayload<T>(schema: z.ZodType<T>, reply: PartlyParsed, what: string): T {
  const { value, surprise } = check(schema, parseJson(reply, what));
  if (surprise === null) return value;
  throw new ProviderError('unexpected_reply', `${what} is not as expected at ${surprise}.`);
}

function parseJson(reply: PartlyParsed, what: string): unknown {
  try {
    return wholeOf(reply);
  } catch {
    throw new ProviderError(
      'unexpected_reply',
      `${what} ${stateOf(reply.body)}; the provider may be under maintenance.`,
    );
  }
}

function stateOf(body: string): string {
  if (body.trim() === '') return 'is empty';
  if (looksLikeHtml(body)) return 'is a web page';
  return /^\s*[[{]/.test(body) ? 'is cut off or damaged' : 'is not JSON';
}
