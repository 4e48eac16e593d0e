import type { z } from 'zod';
import { ProviderError } from './provider-error.js';

/**
 * A provider's body as a checked value.
 *
 * @throws ProviderError `unexpected_reply` that names the place of the surprise and quotes nothing of the body
 */
export function parsePayload<T>(schema: z.ZodType<T>, body: string, what: string): T {
  const parsed = schema.safeParse(parseJson(body, what));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? [])
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  throw new ProviderError(
    'unexpected_reply',
    `${what} is not as expected at $${path}: ${issue?.message ?? 'invalid'}.`,
  );
}

function parseJson(body: string, what: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    const state = body.trim() === '' ? 'is empty' : 'is not JSON';
    throw new ProviderError('unexpected_reply', `${what} ${state}; the provider may be under maintenance.`);
  }
}
