import { isTransientError, networkError, NotSentError } from './network-failure.js';

describe('networkError', () => {
  it.each([
    ['timeout', true, 'The provider did not answer within 30 s.'],
    ['ENOTFOUND', false, 'The provider’s address was not found (ENOTFOUND).'],
    ['EAI_AGAIN', false, 'The provider’s address was not found (EAI_AGAIN).'],
    ['ECONNREFUSED', false, 'The provider refused the connection (ECONNREFUSED).'],
    ['ENETUNREACH', false, 'This server has no route to the provider (ENETUNREACH).'],
    ['ECONNRESET', true, 'The connection to the provider was cut off (ECONNRESET).'],
    [
      'CERT_HAS_EXPIRED',
      false,
      'The provider’s certificate cannot be trusted, so nothing was sent (CERT_HAS_EXPIRED).',
    ],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      false,
      'The provider’s certificate cannot be trusted, so nothing was sent (UNABLE_TO_VERIFY_LEAF_SIGNATURE).',
    ],
    ['EPRIVATE', false, 'The provider’s address resolves to this machine or a private network and was not contacted.'],
    ['unknown', true, 'The connection to the provider failed (unknown).'],
  ])('the network error %s is explained and says whether anything was sent', (code, mayBeSent, message) => {
    const error = networkError(code, 30_000);
    expect([error.message, !(error instanceof NotSentError)]).toEqual([message, mayBeSent]);
  });
});

describe('isTransientError', () => {
  it.each([
    ['ECONNRESET', true],
    ['ECONNREFUSED', true],
    ['ETIMEDOUT', true],
    ['timeout', true],
    ['ENOTFOUND', true],
    ['EAI_AGAIN', true],
    ['EPIPE', true],
    ['ERR_BAD_RESPONSE', true],
    ['EPRIVATE', false],
    ['CERT_HAS_EXPIRED', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
  ])('the error %s is transient, so that the request is retried: %s', (code, retried) => {
    expect(isTransientError(code)).toBe(retried);
  });
});
