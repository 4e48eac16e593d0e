import { openSecrets, type SealedSecret, sealSecrets } from './sealed-secret.js';

const PASSPHRASE = 'a passphrase for the secret';

describe('sealSecrets and openSecrets', () => {
  let sealed: SealedSecret;
  beforeAll(async () => {
    sealed = await sealSecrets(['newest secret', 'older secret'], PASSPHRASE);
  });

  it('the sealed secrets of a backup are opened only by their passphrase', async () => {
    expect(await openSecrets(sealed, PASSPHRASE)).toEqual(['newest secret', 'older secret']);
    expect(await openSecrets(sealed, 'another passphrase')).toBeNull();
  });

  it.each<[string, Partial<SealedSecret>]>([
    ['a cost that needs too much memory', { cost: 2 ** 24 }],
    ['a parallelization that takes days', { parallelization: 2 ** 18, cost: 2, blockSize: 1 }],
    ['an invalid cost', { cost: 3 }],
    ['a negative block size', { blockSize: -8 }],
    // Of a low cost, since the right one takes a second.
    ['an empty nonce', { cost: 2, nonce: '' }],
    ['an empty ciphertext', { cost: 2, text: '' }],
    ['a truncated authentication tag', { cost: 2, text: 'AAAAAAAA' }],
  ])('the sealed secrets of a backup are not opened with %s', async (_, forged) => {
    expect(await openSecrets({ ...sealed, ...forged }, PASSPHRASE)).toBeNull();
  });
});
