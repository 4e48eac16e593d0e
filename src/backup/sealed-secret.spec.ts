import type { SealedSecret } from './backup-format.js';
import { openSecrets, sealSecrets } from './sealed-secret.js';

const PASSPHRASE = 'a passphrase for the secret';

describe('the secret in a backup', () => {
  let sealed: SealedSecret;
  beforeAll(async () => {
    sealed = await sealSecrets(['newest secret', 'older secret'], PASSPHRASE);
  });

  it('is opened by its passphrase only', async () => {
    expect(await openSecrets(sealed, PASSPHRASE)).toEqual(['newest secret', 'older secret']);
    expect(await openSecrets(sealed, 'another passphrase')).toBeNull();
  });

  it.each<[string, Partial<SealedSecret>]>([
    ['more memory than there may be', { cost: 2 ** 24 }],
    ['days of work', { parallelization: 2 ** 18, cost: 2, blockSize: 1 }],
    ['a cost that is none', { cost: 3 }],
    ['a negative size', { blockSize: -8 }],
    ['no nonce', { nonce: '' }],
    ['no text', { text: '' }],
    ['half a tag', { text: 'AAAAAAAA' }],
  ])('is not opened with %s', async (_, forged) => {
    expect(await openSecrets({ ...sealed, ...forged }, PASSPHRASE)).toBeNull();
  });
});
