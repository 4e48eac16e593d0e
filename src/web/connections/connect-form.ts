import { ApiError } from '../../http/errors/api-error.js';
import { MAX_SECRET_CHARS, type ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { ProviderError, ProviderInputError } from '../../bank-provider/provider-error.js';
import type { FieldErrors } from '../components/field.js';

/** What was sent besides the secret. */
export interface ConnectForm {
  provider: ProviderDescriptor;
  name: string;
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
    const known = error instanceof ProviderError || (error instanceof ApiError && error.code === 'conflict');
    if (known) return { secret: error.message };
    throw error;
  }
}
