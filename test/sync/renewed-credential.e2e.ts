import { Module } from '@nestjs/common';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../../src/providers/bank-provider.js';
import type { ProviderDescriptor } from '../../src/providers/provider-descriptor.js';
import { ProviderError } from '../../src/providers/provider-error.js';
import { Secret } from '../../src/platform/config/secret.js';
import { createClient, StillClock, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { thirdProvider } from '../examples/third-provider/third-provider.module.js';
import { snapshotAccount } from '../support/factories.js';
import { gate } from '../support/gate.js';
import { ended, synced } from '../support/syncs.js';

const ACCOUNT = snapshotAccount();

/** A vendor whose token is valid once: each request answers with the next one. */
class RotatingProvider extends BankProvider {
  readonly pendingSwitch = null;
  valid = '';
  /** What happens after the renewal. */
  afterRenewal: () => Promise<void> | void = () => undefined;
  /** What happens between the vendor's answer and the renewal. */
  beforeRenewal: () => Promise<void> | void = () => undefined;

  connect(pasted: Secret): Promise<Secret> {
    this.valid = pasted.reveal();
    return Promise.resolve(pasted);
  }

  async fetchSnapshot({ credential, renewCredential }: SnapshotRequest): Promise<BankSnapshot> {
    if (credential.reveal() !== this.valid) throw new ProviderError('access_revoked', 'This token was used before.');
    const renewed = new Secret(`${this.valid}+`);
    await this.beforeRenewal();
    await renewCredential(renewed);
    this.valid = renewed.reveal();
    await this.afterRenewal();
    return { accounts: [ACCOUNT], problems: [], retryAfterSeconds: null };
  }
}

@Module({ providers: [RotatingProvider], exports: [RotatingProvider] })
class RotatingProviderModule {}

const ROTATING: ProviderDescriptor = {
  ...thirdProvider,
  module: RotatingProviderModule,
  implementation: RotatingProvider,
};

describe('credentials that the provider renews with each use', () => {
  let tidemark: TestApp;
  let provider: RotatingProvider;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp({}, new StillClock(), undefined, [ROTATING]);
    provider = tidemark.app.get(RotatingProvider, { strict: false });
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    client = await createClient(tidemark);
    Object.assign(provider, { afterRenewal: () => undefined, beforeRenewal: () => undefined });
  });

  const connect = async (token: string) => {
    const body = { provider: ROTATING.name, access_token: token };
    return (await client.post('/api/v1/connections', body)).body;
  };

  it('the next sync uses the credential that the provider renewed', async () => {
    const connection = await connect('a');
    expect(await ended(client, connection.latest_sync_id)).toMatchObject({ status: 'succeeded' });
    expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
    expect(provider.valid).toBe('a++');
  });

  it('a renewed credential is stored although the sync then fails', async () => {
    provider.afterRenewal = () => Promise.reject(new ProviderError('network', 'The provider broke off.'));
    const connection = await connect('b');
    expect(await ended(client, connection.latest_sync_id)).toMatchObject({ status: 'failed' });
    provider.afterRenewal = () => undefined;
    expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
  });

  it('a renewed credential does not replace one that a user has entered meanwhile', async () => {
    const [asked, answer] = [gate(), gate()];
    provider.beforeRenewal = () => {
      asked.open();
      return answer.opened;
    };
    const connection = await connect('c');
    await asked.opened;
    provider.beforeRenewal = () => undefined;
    const path = `/api/v1/connections/${connection.id}/credentials`;
    const replaced = await client.put(path, { access_token: 'd' });
    answer.open();
    expect(await ended(client, connection.latest_sync_id)).toMatchObject({ status: 'cancelled' });
    expect(await ended(client, replaced.body.latest_sync_id)).toMatchObject({ status: 'succeeded' });
    expect(provider.valid).toBe('d+');
  });
});
