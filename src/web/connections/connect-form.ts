import { DomainError } from '../../errors/domain-error.js';
import { MAX_SECRET_CHARS, type ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { ProviderError, ProviderInputError } from '../../bank-provider/provider-error.js';
import { DEFAULT_HISTORY_DAYS, MAX_HISTORY_DAYS } from '../../connections/connection.entity.js';
import type { FieldErrors } from '../components/field.js';

/** What was sent besides the secret. */
export interface ConnectForm {
  provider: ProviderDescriptor;
  name: string;
  historyDays: number;
  includePending: boolean;
}

/** How far back a person may ask for; what a bank has is mostly less. */
export const HISTORY_CHOICES = [
  { value: '90', text: '90 days' },
  { value: '365', text: '1 year' },
  { value: String(DEFAULT_HISTORY_DAYS), text: '2 years' },
  { value: '1826', text: '5 years' },
  { value: String(MAX_HISTORY_DAYS), text: '10 years' },
];

/** The usual one for anything that the form does not offer. */
export function historyDaysOf(text: string): number {
  return Number(HISTORY_CHOICES.find(({ value }) => value === text)?.value ?? DEFAULT_HISTORY_DAYS);
}

/**
 * Does something with a pasted secret.
 *
 * @returns what is wrong with it, beside its field; `null` when it is done
 * @throws what is no trouble with the secret or the provider
 */
export async function trySecret(
  secret: string,
  { secret: { inSentence: text } }: ProviderDescriptor,
  work: () => Promise<unknown>,
): Promise<FieldErrors | null> {
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
