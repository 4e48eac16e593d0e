import { ApiError, validationFailed } from '../../api/api-error.js';
import { ProviderError, ProviderInputError } from '../../bank-provider/provider-error.js';
import { Secret } from '../../bank-provider/secret.js';

/** In which member of a body a person pastes the secret of which provider. */
const FIELDS = { us_provider: 'setup_token', global_provider: 'api_key' } as const;

export type PastedSecrets = { [field in (typeof FIELDS)[keyof typeof FIELDS]]?: string };

/**
 * The secret for a provider out of a body.
 *
 * @throws ApiError `validation_failed` when it is missing, or when another provider's is given
 */
export function pastedSecret(provider: string, body: PastedSecrets): Secret {
  const field = fieldOf(provider);
  const others = Object.values(FIELDS).filter((other) => other !== field && body[other] !== undefined);
  const errors = others.map((other) => `${other} does not belong to this provider: send ${field}`);
  const text = body[field]?.trim() ?? '';
  if (text === '') errors.push(`${field} must not be empty`);
  if (errors.length > 0) throw validationFailed(errors);
  return new Secret(text);
}

/** Trouble with a pasted secret in the words of the API. */
export function refusalOf(error: unknown, provider: string): unknown {
  if (error instanceof ProviderInputError) return validationFailed([`${fieldOf(provider)} ${error.message}`]);
  if (error instanceof ProviderError) {
    return new ApiError('provider_error', error.message, { details: { kind: error.kind } });
  }
  return error;
}

function fieldOf(provider: string): keyof PastedSecrets {
  return FIELDS[provider as keyof typeof FIELDS];
}
