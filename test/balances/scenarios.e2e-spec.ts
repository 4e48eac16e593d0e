import { Secret } from '../../src/platform/config/secret.js';
import { GlobalProviderClient } from '../../src/providers/global-provider/client.js';
import { GlobalProvider } from '../../src/providers/global-provider/global-provider.module.js';
import { freshApiKey } from '../../sandbox/global-provider/api-key.js';
import { type LocalGlobalSandbox, startGlobalSandbox } from '../../sandbox/global-provider/local-server.js';
import { SCENARIOS as GLOBAL_SCENARIOS } from '../../sandbox/global-provider/scenarios/scenarios.js';
import { type LocalUsSandbox, startUsSandbox } from '../../sandbox/us-provider/local-server.js';
import { SCENARIOS as US_SCENARIOS } from '../../sandbox/us-provider/scenarios/scenarios.js';
import { UsProviderClient } from '../../src/providers/us-provider/client.js';
import { UsProvider } from '../../src/providers/us-provider/us-provider.module.js';
import { RULES, SandboxDay } from '../support/scenario-outcome.js';
import { TIMEOUT_MS } from '../support/scripted-server.js';
import { tenthInQuickRun } from '../support/tier.js';

const WHOLE = '6/6, then 6/6';
const both = (words: string) => `${words}, then ${words}`;

/** What comes of a scenario, where it is not all six accounts, complete, twice, and without a problem. */
const US_OUTCOMES: Record<string, string> = {
  'claim-refused': 'not connected: token_rejected',
  'claim-dropped': 'not connected: network',
  'claim-html': 'not connected: unexpected_reply',
  'claim-empty': 'not connected: unexpected_reply',
  'claim-http': 'not connected: unexpected_reply',
  'claim-no-credentials': 'not connected: unexpected_reply',
  'claim-redirect': 'not connected: unexpected_reply',
  'reset-always': both('network'),
  'timeout-always': both('network'),
  'error-500': both('network'),
  'error-502': both('network'),
  'error-503': both('network'),
  'error-504': both('network'),
  'html-reply': both('unexpected_reply'),
  'truncated-reply': both('unexpected_reply'),
  'empty-reply': both('unexpected_reply'),
  'answer-too-large': both('answer_too_large'),
  revoked: both('access_revoked'),
  'revoked-later': '6/6, then access_revoked',
  'payment-required': both('payment_required'),
  'cdn-403': both('rate_limited'),
  'cdn-403-text': both('rate_limited'),
  'cdn-429': both('rate_limited'),
  'bank-needs-login': both('5/6 account_failed'),
  'account-failed': both('5/6 account_failed'),
  'data-missing': both('5/6 data_incomplete'),
  'accounts-empty': both('0/0 data_incomplete'),
  'accounts-vanish': '6/6, then 0/0 data_incomplete',
  'account-closed': '6/6, then 5/5',
  'window-capped': both('0/6 data_incomplete'),
  'window-capped-v1': both('0/6 data_incomplete'),
  'error-unknown-code': both('5/6 account_failed data_incomplete'),
  'error-message-key': both('6/6 data_incomplete'),
  'error-plain-text': both('0/6 data_incomplete'),
  'holdings-other-names': both('6/6 unexpected_reply'),
  'dates-a-year-off': both('6/6 data_incomplete'),
  'currency-url': both('6/7 unsupported_currency'),
  'currency-empty': both('0/6 data_incomplete'),
  markup: both('6/6 data_incomplete'),
  'mixed-dialects': both('6/6 data_incomplete'),
};

const GLOBAL_OUTCOMES: Record<string, string> = {
  coins: both('3/3'),
  'reset-always': both('network'),
  'timeout-always': both('network'),
  'error-500': both('network'),
  'error-502': both('network'),
  'error-503': both('network'),
  'error-504': both('network'),
  'account-error': both('5/6 network'),
  'balance-error-later': '6/6, then 0/6 network',
  'redirect-308': both('unexpected_reply'),
  'redirect-302': both('unexpected_reply'),
  'html-reply': both('unexpected_reply'),
  'truncated-reply': both('unexpected_reply'),
  'empty-reply': both('unexpected_reply'),
  'answer-too-large': both('answer_too_large'),
  'bare-reply': both('unexpected_reply'),
  unauthorized: both('access_revoked'),
  forbidden: both('access_revoked'),
  'revoked-later': '6/6, then access_revoked',
  'subscription-lapsed': both('access_revoked'),
  'account-forbidden': both('5/6 account_failed'),
  'account-not-found': both('5/6 account_failed'),
  'bad-request': both('0/6 unexpected_reply'),
  'slow-down-long': '1/6 rate_limited, then rate_limited',
  'slow-down-at-once': both('rate_limited'),
  'slow-down': both('rate_limited'),
  'cdn-403': both('rate_limited'),
  'accounts-none': both('0/0 data_incomplete'),
  'accounts-vanish': '6/6, then 0/0 data_incomplete',
  'account-elsewhere': both('1/1'),
  'account-hidden': '6/6, then 5/5',
  'account-lost': '6/6, then 5/6 account_failed',
  'consent-lapsed': '6/6, then 4/6 account_failed',
  'account-in-error': both('4/6 account_failed'),
  'transactions-not-implemented': both('5/6 unexpected_reply'),
  'status-unknown': both('2/6 account_failed'),
  'balance-empty': both('3/6 data_incomplete unexpected_reply'),
  'balance-vanishes': '6/6, then 0/6 data_incomplete',
  'row-without-id': both('6/6 unexpected_reply'),
  'row-gaps': both('6/6 unexpected_reply'),
  'currency-unknown': both('6/6 unexpected_reply'),
  'odd-amounts': both('6/6 amount_too_large'),
};

// The specs of the providers and of the sandbox hold most of this, too: `npm test` plays every tenth.
describe('the US provider against the sandbox, which plays', () => {
  const day = new SandboxDay();
  let sandbox: LocalUsSandbox;

  beforeAll(async () => {
    sandbox = await startUsSandbox({ today: () => day.today, onSilence: day.timeIsUp, pause: () => Promise.resolve() });
  });
  afterAll(() => sandbox.close());

  it.each(tenthInQuickRun(US_SCENARIOS).map(({ name, plays }) => [name, plays]))('%s: %s', async (name) => {
    const provider = new UsProvider(new UsProviderClient(day.http(), TIMEOUT_MS), RULES);
    const outcome = await day.outcome(provider, new Secret(sandbox.setupToken(name)));
    expect(outcome).toBe(US_OUTCOMES[name] ?? WHOLE);
  });

  it('nothing that is not in the list of scenarios', () => {
    const names = new Set(US_SCENARIOS.map(({ name }) => name));
    expect(Object.keys(US_OUTCOMES).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('the global provider against the sandbox, which plays', () => {
  const day = new SandboxDay();
  let sandbox: LocalGlobalSandbox;

  beforeAll(async () => {
    sandbox = await startGlobalSandbox({
      today: () => day.today,
      onSilence: day.timeIsUp,
      pause: () => Promise.resolve(),
    });
  });
  afterAll(() => sandbox.close());

  it.each(tenthInQuickRun(GLOBAL_SCENARIOS).map(({ name, plays }) => [name, plays]))('%s: %s', async (name) => {
    const client = new GlobalProviderClient(day.http(), {
      baseUrl: sandbox.baseUrl,
      timeoutMs: TIMEOUT_MS,
      rawLog: null,
    });
    // A key is tried before it is stored: most faults would end there.
    const apiKey = freshApiKey('healthy');
    const play = () => fetch(`${sandbox.url}/sandbox/global/play/${apiKey}?scenario=${name}`, { method: 'POST' });
    const outcome = await day.outcome(new GlobalProvider(client, true), new Secret(apiKey), play);
    expect(outcome).toBe(GLOBAL_OUTCOMES[name] ?? WHOLE);
  });

  it('nothing that is not in the list of scenarios', () => {
    const names = new Set(GLOBAL_SCENARIOS.map(({ name }) => name));
    expect(Object.keys(GLOBAL_OUTCOMES).filter((name) => !names.has(name))).toEqual([]);
  });
});
