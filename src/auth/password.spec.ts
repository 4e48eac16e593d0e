import { createHook } from 'node:async_hooks';
import type { Request, Response } from 'express';
import { DomainError } from '../platform/domain-error.js';
import { rememberRequest } from '../platform/request-context.js';
import { hashPassword, passwordProblem, verifyPassword } from './password.js';

/** Of native tasks of modules that do not name them: argon2's are the only ones here. */
const NATIVE_TASK = 'undefined';

describe('hashPassword and verifyPassword', () => {
  it('a password is verified by its hash', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
    expect(await verifyPassword(stored, 'wrong horse')).toBe(false);
  });

  it('a password is stored as argon2id with its own salt', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(other).not.toBe(one);
  });

  it('two passwords are hashed or verified at a time, and those that cannot wait are refused as unavailable', async () => {
    const stored = await hashPassword('correct horse');
    const running = new Set<number>();
    let most = 0;
    const hook = createHook({
      init: (id, type) => {
        if (String(type) === NATIVE_TASK) most = Math.max(most, running.add(id).size);
      },
      before: (id) => void running.delete(id),
    }).enable();
    const tries = Array.from({ length: 100 }, (_, i) => (i % 2 ? hashPassword('x') : verifyPassword(stored, 'x')));
    const results = await Promise.allSettled(tries);
    hook.disable();
    expect(most).toBe(2);
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason as DomainError] : []));
    expect(results.length - refused.length).toBeGreaterThanOrEqual(2);
    expect(results.length - refused.length).toBeLessThanOrEqual(10);
    for (const { code, parts } of refused) expect([code, parts]).toEqual(['unavailable', { retryAfterSeconds: 2 }]);
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
  });

  it('is refused with 429 while two others of its address are hashed, whatever the e-mail addresses, and no other is', async () => {
    const response = { setHeader: () => undefined } as unknown as Response;
    const hashedFor = (ip: string) =>
      new Promise<string>((resolve, reject) => {
        const request = { ip, get: () => undefined } as unknown as Request;
        rememberRequest(request, response, () => void hashPassword('x').then(resolve, reject));
      });
    const underWay = ['203.0.113.5', '203.0.113.5', '198.51.100.8'].map(hashedFor);
    await expect(hashedFor('203.0.113.5')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    await Promise.all(underWay);
    expect(await hashedFor('203.0.113.5')).toMatch(/^\$argon2id/);
  });
});

const problem = (password: string) => passwordProblem(password, 'Annabella@example.com');

describe('passwordProblem', () => {
  it.each(['password', 'PASSWORD', '12345678', 'qwertyuiop', 'trustno1', ' baseball'])(
    'the common password %j is rejected',
    async (password) => expect(await problem(password)).toMatch(/most common/),
  );

  it.each(['annabella@example.com', 'ANNABELLA@EXAMPLE.COM', 'annabella'])(
    'a password equal to the user’s e-mail address is rejected: %s',
    async (text) => expect(await problem(text)).toMatch(/e-mail address/),
  );

  it.each(['aaaaaaaa', 'abababab'])('a password of one or two different characters is rejected: %s', async (text) =>
    expect(await problem(text)).toMatch(/two different/),
  );

  it('a password must have 8 to 256 characters', async () => {
    expect(await problem('gR7-kq2')).toBe('Use at least 8 characters.');
    expect(await problem('gR7-'.repeat(64))).toBeNull();
    expect(await problem('gR7-'.repeat(65))).toBe('Use at most 256 characters.');
  });

  it.each(['correct horse', 'gR7-kq2p', 'passwort mit wellen'])('the password %j is accepted', async (text) =>
    expect(await problem(text)).toBeNull(),
  );
});
