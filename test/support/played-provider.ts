import { Module } from '@nestjs/common';
import {
  BankProvider,
  type BankSnapshot,
  type ProviderPush,
  type SnapshotRequest,
} from '../../src/providers/bank-provider.js';
import { ProviderInputError } from '../../src/providers/provider-error.js';
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

  /** A push is signed with the word “signed”, and lists ids. */
  override readPush({ headers, body }: ProviderPush): Promise<readonly string[]> {
    if (headers['x-signature'] !== 'signed') throw new ProviderInputError('is not signed');
    return Promise.resolve(body.toString().split(' '));
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
