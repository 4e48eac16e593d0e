import { ApiError } from '../../api/api-error.js';
import { ProviderError, ProviderInputError } from '../../bank-provider/provider-error.js';
import type { FieldErrors } from '../parts/field.js';
import { type FormBody, textOf } from '../parts/form-body.js';
import { MAX_NAME_CHARS } from '../parts/name.js';
import { wordsOf } from './provider-words.js';

const MAX_SECRET_CHARS = 4096;

export interface ConnectForm {
  provider: string;
  name: string;
}

export function readConnectForm(body: FormBody): ConnectForm {
  return { provider: wordsOf(textOf(body, 'provider')).name, name: textOf(body, 'name').slice(0, MAX_NAME_CHARS) };
}

/**
 * Does something with a pasted secret.
 *
 * @returns what is wrong with it, beside its field; `null` when it is done
 * @throws what is no trouble with the secret or the provider
 */
export async function trySecret(
  secret: string,
  provider: string,
  work: () => Promise<unknown>,
): Promise<FieldErrors | null> {
  const { text } = wordsOf(provider).secret;
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
