import { isAllowedHost, type NetworkRules, refusalOf } from '../bank-provider/http/network-guard.js';
import { MAX_SECRET_CHARS } from '../bank-provider/provider-descriptor.js';
import { ProviderError, ProviderInputError } from '../bank-provider/provider-error.js';
import { Secret } from '../config/secret.js';

/** An access URL taken apart. */
export interface BasicAccess {
  /** Without credentials and without a slash at the end. */
  root: string;
  /** Value of the `Authorization` header. */
  authorization: Secret;
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads the claim address from a setup token. White space and missing padding are accepted.
 *
 * @throws ProviderInputError with words to put after the field's name; nothing was contacted
 */
export function claimUrlOf(setupToken: Secret, rules: NetworkRules): URL {
  const compact = setupToken.reveal().replace(/\s+/g, '');
  if (!BASE64.test(compact))
    throw new ProviderInputError('is not base64 text: paste the whole token as the provider shows it');
  const decoded = Buffer.from(compact, 'base64').toString('utf8').trim();
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(decoded) || !URL.canParse(decoded)) {
    throw new ProviderInputError('contains no address: paste the whole token as the provider shows it');
  }
  const url = new URL(decoded);
  if (url.username || url.password)
    throw new ProviderInputError('must not contain an address with a user name or password');
  const refusal = addressRefusal(url, rules);
  if (refusal) throw new ProviderInputError(refusal);
  return url;
}

/**
 * Reads the access URL from the answer to a claim.
 *
 * @throws ProviderError `unexpected_reply`, which quotes nothing of the answer
 */
export function accessUrlOf(body: string, rules: NetworkRules): Secret {
  const text = body.trim();
  const isAddress = text.length <= MAX_SECRET_CHARS && /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
  const url = isAddress ? new URL(text) : null;
  const problem = !url
    ? 'is not an address'
    : !url.username || !url.password
      ? 'is an address without user name and password'
      : addressRefusal(url, rules);
  if (problem) {
    const advice = 'Nothing was stored. The setup token is used up: create a new one at the provider.';
    throw new ProviderError('unexpected_reply', `The provider’s answer to the setup token ${problem}. ${advice}`);
  }
  return new Secret(text);
}

/** @throws ProviderError when the stored access URL is no longer allowed */
export function accessOf(accessUrl: Secret, rules: NetworkRules): BasicAccess {
  const url = new URL(accessUrl.reveal());
  const refusal = addressRefusal(url, rules);
  if (refusal) throw new ProviderError('network', `The stored access address ${refusal}.`);
  // URL keeps them percent-encoded, and the header needs them decoded.
  const [user, password] = [url.username, url.password].map(percentDecoded);
  return {
    root: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    authorization: new Secret(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`),
  };
}

/** People may have a server of their own, so whoever runs the service can allow its host. */
function addressRefusal(url: URL, rules: NetworkRules): string | null {
  const refusal = refusalOf(url, rules);
  return refusal && !isAllowedHost(url.hostname, rules) ? `${refusal}; check USPROVIDER_ALLOWED_HOSTS` : refusal;
}

const ENCODED_CHARACTER = /%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f])+/gi;

/** Each character by itself: a password may have a percent sign beside characters that URL encodes. */
function percentDecoded(text: string): string {
  return text.replace(ENCODED_CHARACTER, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
