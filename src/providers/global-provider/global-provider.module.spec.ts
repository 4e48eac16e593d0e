import { Logger, type LoggerService } from '@nestjs/common';
import { providerIn as startedProviderIn } from '../../../test/support/provider-in.js';
import {
  API_KEY,
  globalProviderScript,
  TODAY,
  wireAccount,
  wireTransaction,
} from '../../../test/support/scripted-global-provider.js';
import { startScriptedServer, type ScriptedServer } from '../../../test/support/scripted-server.js';
import { type BankProvider, UNLIMITED } from '../bank-provider.js';
import { Secret } from '../../platform/config/secret.js';
import { globalProvider } from './global-provider.module.js';
import { RAW_LOG } from './client.js';

interface RawLine {
  message: string;
  status: number;
  body: string;
  cut_chars?: number;
}

const lines: RawLine[] = [];
const nothing = () => undefined;
const LOG: LoggerService = {
  log: nothing,
  error: nothing,
  warn: nothing,
  debug: (message: RawLine, context: string) => {
    if (context === RAW_LOG) lines.push(message);
  },
};

const PRIVATE = { PROVIDER_ALLOW_PRIVATE_NETWORK: '1' };

const providerIn = (environment: NodeJS.ProcessEnv) => startedProviderIn(globalProvider, environment, LOG);

describe('the global provider module', () => {
  let server: ScriptedServer;

  beforeEach(async () => {
    server = await startScriptedServer();
    server.play(globalProviderScript([{ wire: wireAccount() }]));
  });
  afterEach(() => server.stop());

  const connect = (provider: BankProvider) => provider.connect(new Secret(API_KEY));

  it('the global provider takes its base URL from the configuration, with or without a trailing slash', async () => {
    for (const slash of ['', '/']) {
      const provider = await providerIn({ GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1${slash}`, ...PRIVATE });
      expect((await connect(provider)).reveal()).toBe(API_KEY);
    }
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/v1/accounts', '/api/v1/accounts']);
  });

  it('the global provider never connects to a private address unless that is allowed', async () => {
    const provider = await providerIn({ GLOBALPROVIDER_BASE_URL: 'https://127.0.0.1:1/api/v1' });
    await expect(connect(provider)).rejects.toThrow(/not on the public internet/);
  });

  it('the pending switch of the global provider is set by GLOBALPROVIDER_INCLUDE_PENDING', async () => {
    expect((await providerIn({})).pendingSwitch).toBe(false);
    expect((await providerIn({ GLOBALPROVIDER_INCLUDE_PENDING: '1' })).pendingSwitch).toBe(true);
  });

  describe('GLOBALPROVIDER_DEBUG_RAW', () => {
    beforeEach(() => (lines.length = 0));
    afterAll(() => Logger.overrideLogger(false));

    const raw = { ...PRIVATE, GLOBALPROVIDER_DEBUG_RAW: '1' };

    it('the raw log contains every response body with its path and status, but no header', async () => {
      await connect(await providerIn({ GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...raw }));
      expect(lines).toEqual([{ message: 'GET /accounts', status: 200, body: expect.any(String) }]);
      expect(JSON.parse(lines[0]!.body)).toMatchObject({ accounts: [{ name: 'Compte courant' }], total: 1 });
    });

    it('the raw log contains error responses, too', async () => {
      server.play({ status: 403, body: { error: 'Forbidden', message: 'No.' } });
      const provider = await providerIn({ GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...raw });
      await expect(connect(provider)).rejects.toMatchObject({ kind: 'token_rejected' });
      expect(lines).toMatchObject([{ status: 403, body: '{"error":"Forbidden","message":"No."}' }]);
    });

    it('the raw log never contains the API key or another secret, even if the server repeats it', async () => {
      const slashed = 'key/with/slashes';
      server.play(({ headers }) => ({
        status: 500,
        body:
          JSON.stringify({ error: `bad ${String(headers['x-api-key'])}`, at: 'https://user:hunter2@bank.example' }) +
          '{"escaped":"key\\/with\\/slashes","header":"Authorization: Bearer abcdef123456"}',
      }));
      const provider = await providerIn({ GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...raw });
      await expect(provider.connect(new Secret(slashed))).rejects.toMatchObject({ kind: 'network' });
      expect(JSON.stringify(lines)).toMatch(/bad \[secret\]/);
      expect(JSON.stringify(lines)).not.toMatch(/slashes|hunter2|abcdef123456/);
    });

    it('the raw log contains the beginning of a large body and the number of characters left out', async () => {
      const accounts = Array.from({ length: 500 }, (_, id) => ({ wire: wireAccount({ id }) }));
      server.play(globalProviderScript(accounts));
      await connect(await providerIn({ GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...raw }));
      expect(lines[0]?.body).toHaveLength(16_384);
      expect(lines[0]?.cut_chars).toBeGreaterThan(16_384);
    });

    it('a long response is read in full while the raw log is on', async () => {
      const ofAccount = { accountId: 20417 };
      const transactions = Array.from({ length: 20_000 }, (_, row) =>
        wireTransaction(`T-${row}`, '2026-03-12', -1, ofAccount),
      );
      server.play(globalProviderScript([{ wire: wireAccount(), transactions }]));
      const provider = await providerIn({ GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...raw });
      const { accounts, problems } = await provider.fetchSnapshot({
        ...{ credential: new Secret(API_KEY), today: TODAY, historyFrom: '2026-02-01', covered: new Map() },
        ...{ includePending: false, withoutHoldings: new Set(), budget: UNLIMITED, onProgress: nothing },
        renewCredential: () => Promise.resolve(),
        signal: new AbortController().signal,
      });
      expect([problems, accounts[0]?.transactions.length]).toEqual([[], 20_000]);
      const line = lines.find(({ message }) => message.includes('/transactions'))!;
      expect(line.body).toMatch(/^\{"transactions":\[\{"id":"T-0",/);
      const length = JSON.stringify({ transactions, total: transactions.length }).length;
      expect(line.body.length + line.cut_chars!).toBe(length);
    });

    it('the raw log contains no part of an API key, wherever the body is cut', async () => {
      const keys = Array.from({ length: 4_000 }, () => API_KEY).join(' ');
      server.play({ status: 403, body: { error: 'Forbidden', message: keys } });
      const provider = await providerIn({ GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...raw });
      await expect(connect(provider)).rejects.toMatchObject({ kind: 'token_rejected' });
      expect(lines[0]!.body.replaceAll('[secret]', '')).toMatch(/^\{"error":"Forbidden","message":"[ [\]secrt]*$/);
    });

    it('nothing is written to the raw log unless it is switched on, whatever the log level', async () => {
      await connect(await providerIn({ GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...PRIVATE }));
      expect(lines).toEqual([]);
    });
  });
});
