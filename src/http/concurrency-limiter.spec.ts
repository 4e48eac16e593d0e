import type { DomainError } from '../platform/domain-error.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

describe('ConcurrencyLimiter', () => {
  const limiter = () => new ConcurrencyLimiter('exports', { perCaller: { key: 1, person: 2 }, perInstance: 3 });

  const refusal = (acquire: () => unknown): DomainError => {
    try {
      acquire();
    } catch (error) {
      return error as DomainError;
    }
    throw new Error('nothing was refused');
  };

  it('a caller over the limit of one key or one person is refused with rate_limit_exceeded', () => {
    const exports = limiter();
    exports.acquire({ key: 'a', person: 'anna' });
    const byKey = refusal(() => exports.acquire({ key: 'a', person: 'anna' }));
    expect([byKey.code, byKey.message, byKey.parts]).toEqual([
      'rate_limit_exceeded',
      'One key may have 1 exports at a time. Try again in a moment.',
      { details: { limit: 1, reset_in_seconds: 5 }, retryAfterSeconds: 5 },
    ]);
    exports.acquire({ key: 'b', person: 'anna' });
    expect(refusal(() => exports.acquire({ key: 'c', person: 'anna' })).code).toBe('rate_limit_exceeded');
  });

  it('every caller is refused as unavailable once the instance is at its limit', () => {
    const exports = limiter();
    for (const name of ['a', 'b', 'c']) exports.acquire({ key: name, person: name });
    const full = refusal(() => exports.acquire({ key: 'd', person: 'd' }));
    expect([full.code, full.parts]).toEqual(['unavailable', { retryAfterSeconds: 5 }]);
  });

  it('a released slot can be acquired again, and a second release has no effect', () => {
    const exports = limiter();
    const release = exports.acquire({ key: 'a', person: 'anna' });
    exports.acquire({ key: 'b', person: 'bob' });
    release();
    release();
    expect(exports.total).toBe(1);
    exports.acquire({ key: 'a', person: 'anna' });
  });

  it('a refused call does not count towards the limits', () => {
    const exports = limiter();
    exports.acquire({ key: 'a', person: 'anna' });
    refusal(() => exports.acquire({ key: 'a', person: 'anna' }));
    expect(exports.total).toBe(1);
    exports.acquire({ key: 'b', person: 'anna' });
  });
});
