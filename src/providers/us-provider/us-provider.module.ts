import { Logger, Module } from '@nestjs/common';
import { z } from 'zod';
import { SnapshotSize } from '../answer-limits.js';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../bank-provider.js';
import { fetchAsFarAsPossible, fetchOrHalve, windowOf } from '../feed/windows.js';
import { isAllowedHost, type NetworkRules } from '../http/network-guard.js';
import type { ProviderDescriptor } from '../provider-descriptor.js';
import { ProviderError, type ProviderErrorKind } from '../provider-error.js';
import { ProviderToolbox } from '../provider-toolbox.js';
import type { Window } from '../transaction-history.js';
import { hostPatterns } from '../../platform/config/host-patterns.js';
import type { Secret } from '../../platform/config/secret.js';
import { addDays, longDate } from '../../platform/time/calendar-date.js';
import { accessOf, accessUrlOf, type BasicAccess, claimUrlOf, UsProviderClient } from './client.js';
import { rowsOf } from './payload.js';
import { SnapshotDraft, WINDOWS } from './snapshot-draft.js';

/** After these errors the server reports no versions, now or later. */
const PERMANENT: ReadonlySet<ProviderErrorKind> = new Set(['unexpected_reply', 'answer_too_large']);

export class UsProvider extends BankProvider {
  readonly pendingSwitch = null;
  readonly #log = new Logger('UsProvider');

  constructor(
    private readonly client: UsProviderClient,
    private readonly rules: NetworkRules,
  ) {
    super();
  }

  async connect(setupToken: Secret, signal?: AbortSignal): Promise<Secret> {
    return accessUrlOf(await this.client.claim(claimUrlOf(setupToken, this.rules), signal), this.rules);
  }

  /**
   * Fetches current balances, then windows of transactions, newest first. The balances have a request of their own
   * without a date, because a request with one may return the balances of that date. The newest window follows at once,
   * so that both are of one moment unless the bank is refreshed in between.
   */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    const access = accessOf(request.credential, this.rules);
    const { today, historyFrom, includePending } = request;
    request.onProgress({ step: 'balances', accountsTotal: null });
    const balances = await this.client.balances(access, request);
    request.onProgress({ step: 'the newest transactions', accountsTotal: balances.accounts.length });
    const fetch = (window: Window) => this.client.transactions(access, window, includePending, request);
    const wanted = { from: historyFrom, until: addDays(today, 1) };
    const [newest, transactions] = await fetchOrHalve(windowOf(wanted, today, WINDOWS), today, fetch);
    const draft = SnapshotDraft.start(balances, transactions, newest, request);
    const size = new SnapshotSize();
    const fetchOlder = async (window: Window) => {
      request.onProgress({
        step: `transactions since ${longDate(window.from)}`,
        accountsTotal: draft.histories.length,
      });
      const set = await fetch(window);
      size.add(rowsOf(set.accounts));
      return set;
    };
    const rules = { ...WINDOWS, today };
    const interruption = await fetchAsFarAsPossible(draft.histories, rules, fetchOlder, (...part) =>
      draft.add(...part),
    );
    // Last, so that it is left out first when requests run short.
    const serverVersions = request.wantsServerInfo ? await this.#serverVersions(access, request) : undefined;
    return { ...draft.toSnapshot(interruption), ...(serverVersions && { serverVersions }) };
  }

  /** For display only. An error does not fail the sync. */
  async #serverVersions(access: BasicAccess, request: SnapshotRequest): Promise<string[] | undefined> {
    try {
      return await this.client.serverVersions(access, request);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#log.debug(`The provider’s server does not report its protocol versions (${error.kind})`);
      return PERMANENT.has(error.kind) ? [] : undefined;
    }
  }
}

const ENVIRONMENT = z.object({
  USPROVIDER_ALLOWED_HOSTS: hostPatterns('*')
    .prefault('*.simplefin.org')
    .describe('Host patterns a setup token or access URL of the US provider may name; * = any public host.'),
});

@Module({
  providers: [
    {
      provide: UsProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): UsProvider => {
        const { USPROVIDER_ALLOWED_HOSTS } = toolbox.settings(ENVIRONMENT);
        const rules = toolbox.networkRules(USPROVIDER_ALLOWED_HOSTS);
        return new UsProvider(new UsProviderClient(toolbox.http(rules), toolbox.timeoutMs), rules);
      },
    },
  ],
  exports: [UsProvider],
})
export class UsProviderModule {}

/** Users paste the address of their own server; this is where most of them are. */
const USUAL_SERVER = new URL('https://bridge.simplefin.org/');

export const usProvider: ProviderDescriptor<typeof ENVIRONMENT> = {
  name: 'us_provider',
  module: UsProviderModule,
  implementation: UsProvider,
  secret: {
    field: 'setup_token',
    label: 'Setup token',
    inSentence: 'setup token',
    description: 'The setup token that the provider gave you. It can be used once.',
    example: 'aHR0cHM6Ly9icmlkZ2UuZXhhbXBsZS9zaW1wbGVmaW4vY2xhaW0vb25lLXRpbWU=',
  },
  texts: {
    title: 'Banks in the United States',
    name: 'SimpleFIN',
    reach: 'SimpleFIN Bridge: read-only; the Bridge charges a small yearly fee.',
    steps: [
      'Sign in to the SimpleFIN Bridge and add your banks.',
      'Create a setup token there (a long string of letters and digits).',
      'Paste the token below. It works once: Tidemark exchanges it for its own read-only access.',
    ],
    site: { href: 'https://bridge.simplefin.org/simplefin/create', text: 'Open the SimpleFIN Bridge' },
  },
  defaultConnectionName: 'US banks',
  requestLimit: { perDay: 24, perSync: 2 },
  overlapDays: WINDOWS.days - 1,
  environment: ENVIRONMENT,
  probeUrl: ({ USPROVIDER_ALLOWED_HOSTS: allowedHosts }) =>
    isAllowedHost(USUAL_SERVER.hostname, { allowedHosts, allowPrivateNetwork: false }) ? USUAL_SERVER.href : null,
};
