import { ProviderInputError } from '../bank-provider/provider-error.js';
import { Secret } from '../config/secret.js';

/** Blanks that a copied key brings along at its ends, seen or not, and line breaks wherever it was wrapped. */
const STRAY = /^[\s\u200b-\u200f\u2060\ufeff]+|[\s\u200b-\u200f\u2060\ufeff]+$|[\r\n\t]+/g;
/** What may stand in a header. The form of a key is not documented, so nothing more is asked of it. */
const ONE_WORD = /^[\x21-\x7e]{1,1000}$/;

/**
 * The API key in what a person pasted.
 *
 * @throws ProviderInputError with words to put after the field's name; nothing was contacted
 */
export function apiKeyOf(pasted: Secret): Secret {
  const key = pasted.reveal().replace(STRAY, '');
  if (!ONE_WORD.test(key)) {
    throw new ProviderInputError('is not one word of plain characters: paste the whole key as the provider shows it');
  }
  return new Secret(key);
}
