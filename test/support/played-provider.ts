import { Module } from '@nestjs/common';
import {
  BankProvider,
  type BankSnapshot,
  type Institution,
  type ProviderPush,
  returnedConsent,
  type SnapshotRequest,
  type StartedConsent,
  type WantedConsent,
} from '../../src/providers/bank-provider.js';
import { ProviderError, ProviderInputError } from '../../src/providers/provider-error.js';
import type { ProviderDescriptor } from '../../src/providers/provider-descriptor.js';
import { Secret } from '../../src/platform/config/secret.js';
import { thirdProvider } from '../examples/third-provider/third-provider.module.js';

/** A provider behind the port that answers as a test wants, and takes any secret. */
export class PlayedProvider extends BankProvider {
  readonly pendingSwitch = null;
  readonly requests: SnapshotRequest[] = [];
  play: (request: SnapshotRequest) => Partial<BankSnapshot> | Promise<Partial<BankSnapshot>> = () => ({});

  readonly consents: WantedConsent[] = [];

  /** What a person comes back with is the credential; a bank that says no refuses. */
  connect(pasted: Secret): Promise<Secret> {
    const consent = returnedConsent(pasted);
    if (consent?.returned.error) return Promise.reject(new ProviderError('token_rejected', 'The bank said no.'));
    return Promise.resolve(consent ? new Secret(`${consent.kept} ${consent.returned.code}`) : pasted);
  }

  override startConsent(wanted: WantedConsent): Promise<StartedConsent> {
    this.consents.push(wanted);
    const address = `https://bank.example/consent?${new URLSearchParams({ state: wanted.state }).toString()}`;
    return Promise.resolve({ address, kept: `kept ${this.consents.length}` });
  }

  override searchInstitutions({ text, country }: { text: string; country: string }): Promise<Institution[]> {
    const banks = ['Sparkasse', 'Volksbank'].filter((name) => name.includes(text));
    return Promise.resolve(country === 'DE' ? banks.map((name) => ({ id: name.toUpperCase(), name })) : []);
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
