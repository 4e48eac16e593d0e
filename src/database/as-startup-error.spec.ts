import { StartupError } from '../platform/config/startup-error.js';
import { asStartupError } from './as-startup-error.js';

const failure = (code: string, message = 'something') => Object.assign(new Error(message), { code });

describe('asStartupError', () => {
  it.each([
    ['ECONNREFUSED', /check that the server runs/],
    ['EADDRNOTAVAIL', /check that the server runs/],
    ['EACCES', /may not be used by this user/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /certificate is not trusted/],
    ['CERT_HAS_EXPIRED', /renew it, or set the clock/],
    ['CERT_NOT_YET_VALID', /renew it, or set the clock/],
    ['CERT_REVOKED', /: something \(CERT_REVOKED\)\.$/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /: something \(ERR_SSL_WRONG_VERSION_NUMBER\)\.$/],
    ['ERR_OSSL_PEM_NO_START_LINE', /: something \(ERR_OSSL_PEM_NO_START_LINE\)\.$/],
    ['EPROTO', /: something \(EPROTO\)\.$/],
    ['EHOSTDOWN', /: something \(EHOSTDOWN\)\.$/],
  ])('the database error %s becomes one sentence at startup, also as the cause of another error', (code, sentence) => {
    const error = asStartupError(new Error('outer', { cause: failure(code) }), 'The database in DATABASE_URL');
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toMatch(/^The database in DATABASE_URL cannot be used/);
    expect((error as Error).message).toMatch(sentence);
  });

  it.each(['ERR_INVALID_ARG_TYPE', 'ERR_UNHANDLED_REJECTION'])('the error %s is a bug and keeps its stack', (code) => {
    const bug = failure(code);
    expect(asStartupError(bug, 'The database')).toBe(bug);
  });
});
