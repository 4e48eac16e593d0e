import { Secret } from '../src/config/secret.js';
import { type LocalUsSandbox, startUsSandbox } from '../src/sandbox/us-provider/local-server.js';
import { SCENARIOS } from '../src/sandbox/us-provider/scenarios/scenarios.js';
import { UsProviderClient } from '../src/us-provider/client.js';
import { UsProvider } from '../src/us-provider/us-provider.js';
import { RULES, SandboxDay } from './support/scenario-outcome.js';
import { TIMEOUT_MS } from './support/scripted-server.js';

const WHOLE = '6/6, then 6/6';
const both = (words: string) => `${words}, then ${words}`;

/** What comes of a scenario, where it is not all six accounts, complete, twice, and without a problem. */
const OUTCOMES: Record<string, string> = {
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

describe('the US provider against the sandbox, which plays', () => {
  const day = new SandboxDay();
  let sandbox: LocalUsSandbox;

  beforeAll(async () => {
    sandbox = await startUsSandbox({ today: () => day.today, onSilence: day.timeIsUp, pause: () => Promise.resolve() });
  });
  afterAll(() => sandbox.close());

  it.each(SCENARIOS.map(({ name, plays }) => [name, plays]))('%s: %s', async (name) => {
    const provider = new UsProvider(new UsProviderClient(day.http(), TIMEOUT_MS), RULES);
    const outcome = await day.outcome(provider, new Secret(sandbox.setupToken(name)));
    expect(outcome).toBe(OUTCOMES[name] ?? WHOLE);
  });

  it('nothing that is not in the list of scenarios', () => {
    const names = new Set(SCENARIOS.map(({ name }) => name));
    expect(Object.keys(OUTCOMES).filter((name) => !names.has(name))).toEqual([]);
  });
});
