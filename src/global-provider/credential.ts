import { ProviderInputError } from '../bank-provider/provider-error.js';
import { Secret } from '../config/secret.js';

/** White space and invisible characters around a copied key, and line breaks inside it. */
const STRAY = /^[\s\u200b-\u200f\u2060\ufeff]+|[\s\u200b-\u200f\u2060\ufeff]+$|[\r\n\t]+/g;
/** What a header may contain. The form of a key is not documented. */
const ONE_WORD = /^[\x21-\x7e]{1,1000}$/;

/**
 * Reads the API key from the pasted text.
 *
 * @throws ProviderInputError with words to put after the field's name; nothing was contacted
 */
export function apiKeyOf(pasted: Secret): Secret {
  const key = pasted.reveal().replace(STRAY, '');
  if (!ONE_WORD.test(key)) {
    throw new ProviderInputError('has spaces or unusual characters: paste the whole key as the provider shows it');
  }
  return new Secret(key);
}
