import { Module } from '@nestjs/common';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../../src/providers/bank-provider.js';
import type { ProviderDescriptor } from '../../src/providers/provider-descriptor.js';
import type { Secret } from '../../src/platform/config/secret.js';
import { thirdProvider } from '../examples/third-provider/third-provider.module.js';

/** A provider behind the port that answers as a test wants, and takes any secret. */
export class PlayedProvider extends BankProvider {
  readonly pendingSwitch = null;
  readonly requests: SnapshotRequest[] = [];
  play: (request: SnapshotRequest) => Partial<BankSnapshot> | Promise<Partial<BankSnapshot>> = () => ({});

  connect(pasted: Secret): Promise<Secret> {
    return Promise.resolve(pasted);
  }

  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    this.requests.push(request);
    return { accounts: [], problems: [], retryAfterSeconds: null, ...(await this.play(request)) };
  }
}

@Module({ providers: [PlayedProvider], exports: [PlayedProvider] })
class PlayedProviderModule {}

export const playedProvider: ProviderDescriptor = {
  ...thirdProvider,
  name: 'played_provider',
  module: PlayedProviderModule,
  implementation: PlayedProvider,
  requestLimit: null,
};
