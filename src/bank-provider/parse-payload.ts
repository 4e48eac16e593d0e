import type { z } from 'zod';
import { type PartlyParsed, wholeOf } from './json-in-parts.js';
import { ProviderError } from './provider-error.js';
import { looksLikeHtml } from './text.js';

/** A valid value, or the first validation issue with its place. An issue quotes nothing of the value. */
export type Checked<T> = { value: T; issue: null } | { value: null; issue: string };

/**
 * @param path place of the value in the answer, `$.accounts[3]`
 */
export function check<T>(schema: z.ZodType<T>, value: unknown, path = '$'): Checked<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, issue: null };
  const [issue] = parsed.error.issues;
  const steps = (issue?.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return { value: null, issue: `${path}${steps.join('')}: ${issue?.message ?? 'Invalid input'}` };
}

/**
 * Parses and validates the body of a provider's answer.
 *
 * @param what the subject of the error's sentence: "The provider’s answer"
 * @throws ProviderError `unexpected_reply` that names the place of the issue and quotes nothing of the body
 */
export function parsePayload<T>(schema: z.ZodType<T>, reply: PartlyParsed, what: string): T {
  const { value, issue } = check(schema, parseJson(reply, what));
  if (issue === null) return value;
  throw new ProviderError('unexpected_reply', `${what} is not as expected at ${issue}.`);
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
