import { Module } from '@nestjs/common';
import { z } from 'zod';
import { unreadableAccount } from '../account-problems.js';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../bank-provider.js';
import type { TranslatedAccount } from '../feed/to-account.js';
import type { ProviderDescriptor } from '../provider-descriptor.js';
import { ProviderInputError, type ProviderProblem } from '../provider-error.js';
import { ProviderToolbox } from '../provider-toolbox.js';
import { accountNameOf } from '../read-values.js';
import type { Window } from '../transaction-history.js';
import { baseUrl, flag, PROVIDER_ALLOW_PRIVATE_NETWORK, schemeOf } from '../../platform/config/environment-values.js';
import { Secret } from '../../platform/config/secret.js';
import { longDate } from '../../platform/time/calendar-date.js';
import { coveredUntil } from '../../platform/time/covered-days.js';
import { AccountFetcher, type ListedAccount, startAccount, type Step, WINDOWS } from './account-fetcher.js';
import { GlobalProviderClient, RAW_LOG, RawLog } from './client.js';
import type { ListedAccounts } from './payload.js';

const NO_ACCOUNTS: ProviderProblem = {
  kind: 'data_incomplete',
  message:
    'The provider lists no accounts for this key. Your data is unchanged. Turn on accounts under Account ' +
    'Access at the provider: new banks are off at first.',
};

const UNREADABLE_COUNT: ProviderProblem = {
  kind: 'unexpected_reply',
  message: 'The provider’s list of accounts is not as expected at $.total: no number. It may lack some of them.',
};

export class GlobalProvider extends BankProvider {
  constructor(
    private readonly client: GlobalProviderClient,
    readonly pendingSwitch: boolean,
  ) {
    super();
  }

  async connect(pasted: Secret, signal?: AbortSignal): Promise<Secret> {
    const apiKey = apiKeyOf(pasted);
    await this.client.checkKey(apiKey, signal);
    return apiKey;
  }

  /** Fetches the list of accounts, then each account, one request after the other, because no limit is published. */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    request.onProgress({ step: 'the list of accounts', accountsTotal: null });
    const list = await this.client.accounts(request);
    const { accounts, issues, contradictions } = list;
    const drafts = accounts.map((wire) => startAccount(wire, request));
    const onStep = (draft: ListedAccount, step: Step, window?: Window) =>
      request.onProgress({ step: inWords(draft, step, window), accountsTotal: drafts.length });
    const fetcher = new AccountFetcher(this.client, request, onStep);
    const fetched = new Map<ListedAccount, TranslatedAccount>();
    for (const draft of leastKnownFirst(drafts, request)) {
      const translated = await fetcher.fetch(draft);
      fetched.set(draft, translated);
      request.onAccount?.(translated.account);
    }
    const translated = drafts.map((draft) => fetched.get(draft)!);
    return {
      accounts: translated.map(({ account }) => account),
      problems: [
        ...problemsOfList(list),
        ...contradictions,
        ...issues.map(({ id, issue }) => unreadableAccount(id, issue)),
        ...translated.flatMap((account) => account.problems),
      ],
      retryAfterSeconds: longestWait(drafts),
    };
  }
}

/** Without a problem, the accounts that are not listed would count as missing. An outage looks like an empty list. */
function problemsOfList({ count, total }: ListedAccounts): ProviderProblem[] {
  if (count === 0) return [NO_ACCOUNTS];
  if (Number.isNaN(total)) return [UNREADABLE_COUNT];
  if (total <= count) return [];
  const message = `The provider lists ${count} of its ${total} accounts. The others were not updated.`;
  return [{ kind: 'data_incomplete', message }];
}

/** Orders the accounts so that a sync that is cut off does not miss the same ones every time. */
function leastKnownFirst(drafts: readonly ListedAccount[], { covered }: SnapshotRequest): ListedAccount[] {
  const known = ({ externalId }: ListedAccount) => coveredUntil(covered.get(externalId) ?? []) ?? '';
  return drafts.toSorted((a, b) => (known(a) < known(b) ? -1 : known(a) > known(b) ? 1 : 0));
}

/** In seconds, as long as any refusal asks for; `null`: none does. */
function longestWait(drafts: readonly ListedAccount[]): number | null {
  const errors = drafts.flatMap(({ failures }) => failures.map(({ error }) => error));
  const waits = errors.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  return waits.length === 0 ? null : Math.max(...waits);
}

function inWords({ wire }: ListedAccount, step: Step, window?: Window): string {
  const since = window ? ` since ${longDate(window.from)}` : '';
  return `${accountNameOf(wire.name)}: ${step}${since}`;
}

/** White space and invisible characters around a copied key, and line breaks inside it. */
const STRAY = /^[\s\u200b-\u200f\u2060\ufeff]+|[\s\u200b-\u200f\u2060\ufeff]+$|[\r\n\t]+/g;
/** What a header may contain. The form of a key is not documented. */
const ONE_WORD = /^[\x21-\x7e]{1,1000}$/;

/**
 * Reads the API key from the pasted text.
 *
 * @throws ProviderInputError with words to put after the field's name; nothing was contacted
 */
export function apiKeyOf(pasted: Secret): Secret {
  const key = pasted.reveal().replace(STRAY, '');
  if (!ONE_WORD.test(key)) {
    throw new ProviderInputError('has spaces or unusual characters: paste the whole key as the provider shows it');
  }
  return new Secret(key);
}

const ENVIRONMENT = z
  .object({
    GLOBALPROVIDER_INCLUDE_PENDING: flag
      .prefault('0')
      .describe('1: pending transactions of the global provider are asked for and imported.'),
    GLOBALPROVIDER_DEBUG_RAW: flag
      .prefault('0')
      .describe(
        '1: raw responses of the global provider go to the log, whatever LOG_LEVEL says; secrets redacted, but personal data in them.',
      ),
    GLOBALPROVIDER_BASE_URL: baseUrl
      .prefault('https://www.lunchflow.app/api/v1')
      .describe('The key goes to this host and to no other; https, unless PROVIDER_ALLOW_PRIVATE_NETWORK is 1.'),
    PROVIDER_ALLOW_PRIVATE_NETWORK,
  })
  .superRefine((env, context) => {
    // The key of a person's accounts travels in a header.
    if (schemeOf(env.GLOBALPROVIDER_BASE_URL) === 'http:' && !env.PROVIDER_ALLOW_PRIVATE_NETWORK) {
      context.addIssue({ code: 'custom', path: ['GLOBALPROVIDER_BASE_URL'], message: 'must be an https address' });
    }
  });

@Module({
  providers: [
    {
      provide: GlobalProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): GlobalProvider => {
        const settings = toolbox.settings(ENVIRONMENT);
        const baseUrl = settings.GLOBALPROVIDER_BASE_URL;
        // The key goes to this host and to no other.
        const http = toolbox.http(toolbox.networkRules([new URL(baseUrl).hostname]));
        const rawLog = settings.GLOBALPROVIDER_DEBUG_RAW ? new RawLog() : null;
        const client = new GlobalProviderClient(http, { baseUrl, timeoutMs: toolbox.timeoutMs, rawLog });
        return new GlobalProvider(client, settings.GLOBALPROVIDER_INCLUDE_PENDING);
      },
    },
  ],
  exports: [GlobalProvider],
})
export class GlobalProviderModule {}

export const globalProvider: ProviderDescriptor<typeof ENVIRONMENT> = {
  name: 'global_provider',
  module: GlobalProviderModule,
  implementation: GlobalProvider,
  secret: {
    field: 'api_key',
    label: 'API key',
    inSentence: 'API key',
    description: 'The API key that the provider gave you.',
    example: 'the-key-as-the-provider-shows-it',
  },
  texts: {
    title: 'Banks worldwide',
    name: 'Lunch Flow',
    reach: 'Lunch Flow: banks in Europe and many other countries, read-only.',
    steps: [
      'Sign in to Lunch Flow and connect your banks.',
      'Add an API destination and copy its API key.',
      'Paste the key below. It is stored encrypted and used only to read.',
    ],
    site: { href: 'https://www.lunchflow.app/', text: 'Open Lunch Flow' },
  },
  defaultConnectionName: 'Banks worldwide',
  requestLimit: null,
  overlapDays: WINDOWS.overlapDays,
  environment: ENVIRONMENT,
  probeUrl: ({ GLOBALPROVIDER_BASE_URL }) => GLOBALPROVIDER_BASE_URL,
  openLogContexts: ({ GLOBALPROVIDER_DEBUG_RAW }) => (GLOBALPROVIDER_DEBUG_RAW ? [RAW_LOG] : []),
};
