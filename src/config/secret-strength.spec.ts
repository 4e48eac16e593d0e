import { randomBytes } from 'node:crypto';
import { weaknessOf } from './secret-strength.js';

describe('weaknessOf', () => {
  it.each([
    'changemechangeme',
    'aaaaaaaaaaaaaaaa',
    '1234567890123456',
    'abcdefghijklmnop',
    'correcthorsecorrecthorse',
    'CHANGE_ME_PLEASE',
    'your-secret-here',
    'replace-this-with-a-long-random-string',
    'openssl rand -base64 32',
    'password12345678',
    'my-tidemark-app-secret',
  ])('refuses %s', (secret) => {
    expect(weaknessOf(secret)).not.toBeNull();
  });

  it('accepts what generators make, and passphrases', () => {
    for (let round = 0; round < 2_000; round++) {
      expect(weaknessOf(randomBytes(12).toString('base64'))).toBeNull();
      expect(weaknessOf(randomBytes(16).toString('hex'))).toBeNull();
    }
    expect(weaknessOf('correct horse battery staple')).toBeNull();
  });
});
