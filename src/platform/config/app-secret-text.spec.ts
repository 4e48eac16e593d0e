import { hash } from 'node:crypto';
import { weaknessOf } from './app-secret-text.js';

describe('weaknessOf', () => {
  it.each([
    'changemechangeme',
    'aaaaaaaaaaaaaaaa',
    '1234567890123456',
    'abcdefghijklmnop',
    'zyxwvutsrqponmlk',
    'correcthorsecorrecthorse',
    'CHANGE_ME_PLEASE',
    'your-secret-here',
    'replace-this-with-a-long-random-string',
    'openssl rand -base64 32',
    'password12345678',
    'my-tidemark-app-secret',
  ])('the weak secret %s is rejected', (secret) => {
    expect(weaknessOf(secret)).not.toBeNull();
  });

  it('random secrets and passphrases are accepted', () => {
    for (let round = 0; round < 2_000; round++) {
      const bytes = hash('sha256', String(round), 'buffer');
      expect(weaknessOf(bytes.subarray(0, 12).toString('base64'))).toBeNull();
      expect(weaknessOf(bytes.subarray(0, 16).toString('hex'))).toBeNull();
    }
    // Most of its digits lie beside the one before, by chance: one of 50,000 does.
    expect(weaknessOf('cdcdc18b104540c88781a2fedf66546b')).toBeNull();
    expect(weaknessOf('correct horse battery staple')).toBeNull();
  });
});
