import { createHmac, timingSafeEqual } from 'node:crypto';
import { Module } from '@nestjs/common';
import {
  BankProvider,
  type BankSnapshot,
  baseUrl,
  defineProvider,
  type Institution,
  ProviderError,
  ProviderInputError,
  type ProviderPush,
  ProviderToolbox,
  readRows,
  returnedConsent,
  Secret,
  type SnapshotAccount,
  type SnapshotRequest,
  type StartedConsent,
  toAccount,
  TransactionHistory,
  type WantedConsent,
} from 'tidemark';
import { z } from 'zod';
import { accountOf, readTransaction, Vendor } from './vendor.js';

const ENVIRONMENT = z.object({
  EXAMPLE_BASE_URL: baseUrl
    .prefault('https://api.example-vendor.example/v1')
    .describe('Keys and tokens go to this host and to no other.'),
  EXAMPLE_API_KEY: z
    .string()
    .prefault('')
    .describe('Of the operator, for the vendor. It also signs what the vendor pushes.'),
});

/** Its credential is the id of the consent, and the access token. */
export class ExampleProvider extends BankProvider {
  readonly pendingSwitch = null;

  constructor(
    private readonly vendor: Vendor,
    private readonly apiKey: string,
  ) {
    super();
  }

  override searchInstitutions({ text, country, signal }: { text: string; country: string; signal: AbortSignal }) {
    return this.vendor.institutions(country, text, signal) as Promise<Institution[]>;
  }

  override async startConsent(wanted: WantedConsent): Promise<StartedConsent> {
    const { returnTo, pushTo, state, renews, signal } = wanted;
    const [consentId] = renews?.reveal().split(' ') ?? [];
    const institutionId = consentId
      ? (await this.vendor.consent(consentId, signal)).institution_id
      : wanted.institutionId;
    if (!institutionId) throw new ProviderInputError('Choose a bank first.');
    const redirect = `${returnTo}?state=${state}`;
    const ask = { institution_id: institutionId, redirect_url: redirect, webhook_url: pushTo };
    const { id, link } = await this.vendor.createConsent(ask, signal);
    if (!link) throw new ProviderError('unexpected_reply', 'The provider gave no page for the consent.');
    return { address: link, kept: id };
  }

  async connect(pasted: Secret, signal = new AbortController().signal): Promise<Secret> {
    const consent = returnedConsent(pasted);
    if (!consent) throw new ProviderInputError('is given at the bank: choose “Connect a bank” on the pages');
    const { status, access_token: token } = await this.vendor.consent(consent.kept, signal);
    if (status !== 'given' || !token)
      throw new ProviderError('token_rejected', 'The consent was not given at the bank.');
    return new Secret(`${consent.kept} ${token}`);
  }

  /** The accounts with their balances, then what has changed of all of them. */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    const { credential, today, historyFrom, includePending, cursor = null, onProgress } = request;
    const token = new Secret(credential.reveal().split(' ')[1] ?? '');
    onProgress({ step: 'accounts', accountsTotal: null });
    const item = await this.vendor.accounts(token, request);
    onProgress({ step: 'changes', accountsTotal: item.accounts.length });
    const changes = await this.vendor.changes(token, cursor, request);
    const translated = item.accounts.map((wire) => {
      const items = changes.changed.filter((row) => accountOf(row) === wire.id);
      const history = new TransactionHistory(wire.id, { today, historyFrom, covered: new Map() }, 0);
      const rows = readRows({ items, read: readTransaction, currency: wire.currency ?? null, today, includePending });
      history.add({ from: historyFrom, until: null }, { ...rows, leavesGap: false });
      const balance = { amount: wire.balance, available: null, written: null };
      const named = { externalId: wire.id, name: wire.name, institution: item.bank ?? null, currency: wire.currency };
      const { account, problems } = toAccount({ ...named, balance, holdings: 'unavailable', history }, today);
      const removed = changes.removed.filter((row) => row.account_id === wire.id).map(({ id }) => id);
      // Without a cursor it was a list of all there is, and says nothing of what is gone.
      return { account: cursor === null ? account : ({ ...account, removed } satisfies SnapshotAccount), problems };
    });
    const ids = new Set<unknown>(item.accounts.map(({ id }) => id));
    const lost = changes.changed.filter((row) => !ids.has(accountOf(row))).length;
    const message = `${lost} changes are of no account that the provider lists. They are asked for again.`;
    return {
      accounts: translated.map(({ account }) => account),
      problems: [
        ...translated.flatMap(({ problems }) => problems),
        ...(lost > 0 ? [{ kind: 'unexpected_reply' as const, message }] : []),
      ],
      retryAfterSeconds: null,
      // What is left out of an answer is asked for again, by the cursor before it.
      ...(lost === 0 && { cursor: changes.cursor }),
      externalId: item.item_id,
      accessUntil: new Date(item.valid_until),
    };
  }

  override readPush({ headers, body }: ProviderPush): Promise<readonly string[]> {
    if (this.apiKey === '') throw new ProviderInputError('cannot be checked without EXAMPLE_API_KEY');
    const expected = createHmac('sha256', this.apiKey).update(body).digest();
    const signature = Buffer.from(String(headers['x-signature'] ?? ''), 'hex');
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      throw new ProviderInputError('is not signed by the vendor');
    }
    const { event, item_id: itemId } = JSON.parse(body.toString()) as Record<string, unknown>;
    return Promise.resolve(event === 'changes_available' && typeof itemId === 'string' ? [itemId] : []);
  }
}

@Module({
  providers: [
    {
      provide: ExampleProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): ExampleProvider => {
        const { EXAMPLE_BASE_URL: url, EXAMPLE_API_KEY: apiKey } = toolbox.settings(ENVIRONMENT);
        const http = toolbox.http(toolbox.networkRules([new URL(url).hostname]));
        return new ExampleProvider(new Vendor(http, url, apiKey, toolbox.timeoutMs), apiKey);
      },
    },
  ],
  exports: [ExampleProvider],
})
class ExampleProviderModule {}

export const exampleProvider = defineProvider({
  name: 'example_provider',
  module: ExampleProviderModule,
  implementation: ExampleProvider,
  requestLimit: null,
  overlapDays: 0,
  environment: ENVIRONMENT,
  // What a person gives at the bank, in the words of the pages.
  secret: {
    field: 'consent',
    label: 'Consent',
    inSentence: 'consent',
    description: 'Is given on the pages.',
    example: 'given on the pages',
  },
  texts: {
    title: 'Banks of the example vendor',
    name: 'the example vendor',
    reach: 'Invented banks, at which a person gives a consent for 90 days.',
    steps: ['Find your bank.', 'Give your consent at the bank. You come back here by yourself.'],
    site: { href: 'https://example-vendor.example/', text: 'Open the example vendor' },
  },
  defaultConnectionName: 'My bank',
});
