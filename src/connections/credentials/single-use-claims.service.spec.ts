import { jest } from '@jest/globals';
import { StillClock } from '../../../test/support/app.js';
import type { InstalledProvider } from '../../bank-provider/provider-registry.js';
import { AppSecrets } from '../../config/app-secret.js';
import { Secret } from '../../config/secret.js';
import type { ClaimLocksService } from './claim-locks.service.js';
import { CredentialVault } from '../../vault/credential-vault.js';
import { SingleUseClaimsService } from './single-use-claims.service.js';

describe('a secret that a provider never answers', () => {
  const OWNER = { userId: 'person', connectionId: null };

  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('fails at the deadline for all its callers, and the next one starts anew', async () => {
    let released = 0;
    let asked = 0;
    const locks = { acquire: () => Promise.resolve({}), release: () => Promise.resolve(void released++) };
    const vault = new CredentialVault(new AppSecrets([new Secret('the root secret of the tests')]));
    const claims = new SingleUseClaimsService(vault, locks as unknown as ClaimLocksService, new StillClock());
    const connect = () => {
      asked++;
      return new Promise<never>(() => undefined);
    };
    const installed = { descriptor: { name: 'silent' }, provider: { connect } } as unknown as InstalledProvider;
    const redeem = () =>
      claims
        .redeem(OWNER, installed, new Secret('token'), () => Promise.resolve('id'))
        .catch((error: unknown) => error);
    const first = redeem();
    await jest.advanceTimersByTimeAsync(15_000);
    const second = redeem();
    await jest.advanceTimersByTimeAsync(5_000);
    for (const outcome of [await first, await second]) expect(outcome).toMatchObject({ kind: 'network' });
    expect([asked, released]).toEqual([1, 1]);
    void redeem();
    await jest.advanceTimersByTimeAsync(0);
    expect(asked).toBe(2);
  });
});
