import { Secret } from '../src/config/secret.js';
import { GlobalProviderClient } from '../src/global-provider/client.js';
import { GlobalProvider } from '../src/global-provider/global-provider.js';
import { freshApiKey } from '../src/sandbox/global-provider/api-key.js';
import { type LocalGlobalSandbox, startGlobalSandbox } from '../src/sandbox/global-provider/local-server.js';
import { SCENARIOS } from '../src/sandbox/global-provider/scenarios/scenarios.js';
import { SandboxDay } from './support/scenario-outcome.js';
import { TIMEOUT_MS } from './support/scripted-server.js';

const WHOLE = '6/6, then 6/6';
const both = (words: string) => `${words}, then ${words}`;

/** What comes of a scenario, where it is not all six accounts, complete, twice, and without a problem. */
const OUTCOMES: Record<string, string> = {
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

  it.each(SCENARIOS.map(({ name, plays }) => [name, plays]))('%s: %s', async (name) => {
    const client = new GlobalProviderClient(day.http(), {
      baseUrl: sandbox.baseUrl,
      timeoutMs: TIMEOUT_MS,
      rawLog: null,
    });
    // A key is tried before it is stored: most faults would end there.
    const apiKey = freshApiKey('healthy');
    const play = () => fetch(`${sandbox.url}/sandbox/global/play/${apiKey}?scenario=${name}`, { method: 'POST' });
    const outcome = await day.outcome(new GlobalProvider(client, true), new Secret(apiKey), play);
    expect(outcome).toBe(OUTCOMES[name] ?? WHOLE);
  });

  it('nothing that is not in the list of scenarios', () => {
    const names = new Set(SCENARIOS.map(({ name }) => name));
    expect(Object.keys(OUTCOMES).filter((name) => !names.has(name))).toEqual([]);
  });
});
