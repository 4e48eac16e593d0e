import { DomainError } from '../../errors/domain-error.js';
import { MAX_SECRET_CHARS, type ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { ProviderError, ProviderInputError } from '../../bank-provider/provider-error.js';
import { DEFAULT_HISTORY_DAYS, MAX_HISTORY_DAYS } from '../../connections/connection.entity.js';
import type { FieldErrors } from '../components/page-context.js';

/** How far back a person may ask for; most banks have less. */
export const HISTORY_CHOICES = [
  { value: '90', text: '90 days' },
  { value: '365', text: '1 year' },
  { value: String(DEFAULT_HISTORY_DAYS), text: '2 years' },
  { value: '1826', text: '5 years' },
  { value: String(MAX_HISTORY_DAYS), text: '10 years' },
];

/** The default for a value that the form does not offer. */
export function historyDaysOf(text: string): number {
  return Number(HISTORY_CHOICES.find(({ value }) => value === text)?.value ?? DEFAULT_HISTORY_DAYS);
}

/**
 * Runs `work` with a pasted secret.
 *
 * @returns the error of the secret's field; `null` when it succeeded
 * @throws errors that neither the secret nor the provider caused
 */
export async function trySecret(
  secret: string,
  provider: ProviderDescriptor,
  work: () => Promise<unknown>,
): Promise<FieldErrors | null> {
  const text = provider.secret.inSentence;
  if (secret === '') return { secret: `Paste the ${text} here.` };
  if (secret.length > MAX_SECRET_CHARS) return { secret: `This is too long for one ${text}.` };
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ProviderInputError) return { secret: `The ${text} ${error.message}.` };
    const known = error instanceof ProviderError || (error instanceof DomainError && error.code === 'conflict');
    if (known) return { secret: error.message };
    throw error;
  }
}
