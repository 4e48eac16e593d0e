import { ProviderInputError } from '../../../src/bank-provider/provider-error.js';
import { Secret } from '../../../src/config/secret.js';

const ACCESS_TOKEN = /^tp_[a-z0-9]{8,64}$/;

/**
 * The access token in what a person pasted.
 *
 * @throws ProviderInputError with words to put after the field's name; nothing was contacted
 */
export function accessTokenOf(pasted: Secret): Secret {
  const token = pasted.reveal().trim();
  if (!ACCESS_TOKEN.test(token)) {
    throw new ProviderInputError('does not look like tp_… with letters and digits: paste the whole token');
  }
  return new Secret(token);
}
