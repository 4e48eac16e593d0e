import { jest } from '@jest/globals';
import type { InstalledProvider } from '../../bank-provider/provider-registry.js';
import { AppSecrets } from '../../config/app-secret.js';
import { Secret } from '../../config/secret.js';
import { DrainService } from '../../http/drain.service.js';
import type { ClaimLocksService } from './claim-locks.service.js';
import { SystemClock } from '../../time/clock.js';
import { CredentialVault } from '../../vault/credential-vault.js';
import { SingleUseClaimsService } from './single-use-claims.service.js';

describe('SingleUseClaimsService', () => {
  const OWNER = { userId: 'person', connectionId: null };
  let released: number;
  let asked: number;
  let drain: DrainService;
  let claims: SingleUseClaimsService;

  beforeEach(() => {
    jest.useFakeTimers();
    released = asked = 0;
    drain = new DrainService();
    const locks = { acquire: () => Promise.resolve({}), release: () => Promise.resolve(void released++) };
    const vault = new CredentialVault(new AppSecrets([new Secret('the root secret of the tests')]));
    claims = new SingleUseClaimsService(vault, locks as unknown as ClaimLocksService, new SystemClock(), drain);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const connect = () => {
    asked++;
    return new Promise<never>(() => undefined);
  };
  const installed = { descriptor: { name: 'silent' }, provider: { connect } } as unknown as InstalledProvider;
  const redeem = () =>
    claims.redeem(OWNER, installed, new Secret('token'), () => Promise.resolve('id')).catch((error: unknown) => error);

  it('a single-use token is not claimed by an instance that is stopping', async () => {
    await drain.drain(0, AbortSignal.abort());
    expect(await redeem()).toMatchObject({ code: 'unavailable' });
    expect(asked).toBe(0);
  });

  it('a claim that the provider never answers fails at the deadline for all callers, and the next one starts anew', async () => {
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
