import type {
  BankProvider,
  BankSnapshot,
  SnapshotAccount,
  SnapshotRequest,
  SnapshotTransaction,
} from '../../../src/providers/bank-provider.js';
import type { ProviderDescriptor } from '../../../src/providers/provider-descriptor.js';
import { ProviderError, ProviderInputError } from '../../../src/providers/provider-error.js';
import { Secret } from '../../../src/platform/config/secret.js';
import { minorDigits } from '../../../src/platform/money/currency.js';
import { isCalendarDate } from '../../../src/platform/time/calendar-date.js';
import type { ScriptedRequest, ScriptedServer } from '../../support/scripted-server.js';

/** No retry waits for so long. */
const WAIT_SECONDS = 43_200;
const HISTORY_FROM = '2025-03-15';

/** A provider beside a fake of its vendor in which nothing goes wrong: some accounts, posted and pending transactions. */
interface HealthyProvider {
  descriptor: ProviderDescriptor;
  provider: BankProvider;
  /** What a person would paste; a fresh one every time. */
  pasted: () => Secret;
  /** What could never be a secret of this vendor. */
  nonsense: Secret;
  today: string;
  /** Plays the vendor. */
  server: ScriptedServer;
  isForTransactions: (request: ScriptedRequest) => boolean;
  /** From now on the vendor lists one more account, in a form that cannot be read. */
  addUnreadableAccount: () => void;
  /** From now on the vendor lists one more transaction of the first account, in a form that cannot be read. */
  addUnreadableTransaction: () => void;
  /** The same with an amount beyond the limit. */
  addTooLargeTransaction: () => void;
}

/** What sync may rely on, whoever the vendor is. */
export function describeBankProvider(name: string, start: () => Promise<HealthyProvider>): void {
  describe(`${name} as a bank provider`, () => {
    let healthy: HealthyProvider;
    let spent: number;

    beforeEach(async () => {
      healthy = await start();
      spent = 0;
    });
    afterEach(() => healthy.server.stop());

    async function snapshot(more: Partial<SnapshotRequest> = {}) {
      const credential = await healthy.provider.connect(healthy.pasted());
      const before = healthy.server.requests.length;
      const answer = await healthy.provider.fetchSnapshot({
        ...{
          credential,
          today: healthy.today,
          historyFrom: HISTORY_FROM,
          covered: new Map(),
          includePending: true,
          withoutHoldings: new Set(),
        },
        budget: { spend: () => Promise.resolve(void spent++) },
        renewCredential: () => Promise.resolve(),
        onProgress: () => undefined,
        signal: new AbortController().signal,
        ...more,
      });
      return { ...answer, sent: healthy.server.requests.length - before };
    }

    it('a provider has a name for the API and the database in lower case', () => {
      expect(healthy.descriptor.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    });

    it('connect turns the pasted text into a credential that is never printed', async () => {
      const credential = await healthy.provider.connect(healthy.pasted());
      expect(credential).toBeInstanceOf(Secret);
      expect(credential.reveal()).not.toBe('');
      expect(JSON.stringify(credential)).not.toContain(credential.reveal());
    });

    it('connect rejects nonsense without sending a request or repeating it', async () => {
      const refusal = await healthy.provider.connect(healthy.nonsense).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ProviderInputError);
      expect((refusal as Error).message).not.toContain(healthy.nonsense.reveal());
      expect(healthy.server.requests.length).toBe(0);
    });

    it('a snapshot has every account with an id, a name and amounts in minor units', async () => {
      const { accounts, problems } = await snapshot();
      expect(problems).toEqual([]);
      expect(accounts.length).toBeGreaterThan(0);
      expect(new Set(accounts.map(({ externalId }) => externalId)).size).toBe(accounts.length);
      for (const { externalId, name, currency, balance, covered } of accounts) {
        expect([externalId, name]).not.toContain('');
        expect(minorDigits(currency!)).toBeDefined();
        expect(Number.isSafeInteger(balance!.amountMinor)).toBe(true);
        expect(covered).toEqual([{ from: HISTORY_FROM, until: healthy.today }]);
      }
    });

    it('a snapshot has transactions with a day, an amount and an id that is unique in their account', async () => {
      const { accounts } = await snapshot();
      const rows = rowsOf({ accounts });
      expect(rows.some(({ pending }) => pending)).toBe(true);
      expect(rows.some(({ pending }) => !pending)).toBe(true);
      for (const { transactions } of accounts) {
        expect(new Set(transactions.map(({ externalId }) => externalId)).size).toBe(transactions.length);
      }
      for (const { externalId, date, amountMinor, currency } of rows) {
        expect(externalId).not.toBe('');
        expect([isCalendarDate(date), Number.isSafeInteger(amountMinor)]).toEqual([true, true]);
        expect(minorDigits(currency)).toBeDefined();
      }
    });

    it('a snapshot has no pending transactions if they are not wanted', async () => {
      const answer = await snapshot({ includePending: false });
      expect(rowsOf(answer).filter(({ pending }) => pending)).toEqual([]);
    });

    it('two snapshots of unchanged data are equal', async () => {
      const [first, second] = [await snapshot(), await snapshot()];
      expect(second.accounts).toEqual(first.accounts);
    });

    it('a snapshot requests less once everything is known, and still has every account', async () => {
      const first = await snapshot();
      const covered = new Map(first.accounts.map((account) => [account.externalId, account.covered]));
      const second = await snapshot({ covered });
      expect(second.accounts.map(({ externalId }) => externalId)).toEqual(
        first.accounts.map(({ externalId }) => externalId),
      );
      expect(second.accounts.every(({ covered }) => covered.length === 1)).toBe(true);
      expect(second.sent).toBeLessThanOrEqual(first.sent);
      expect(rowsOf(second).length).toBeLessThan(rowsOf(first).length);
    });

    it('a snapshot asks the budget before every request', async () => {
      const { sent } = await snapshot();
      expect(spent).toBe(sent);
    });

    it('a snapshot reports its progress', async () => {
      const steps: string[] = [];
      await snapshot({ onProgress: ({ step }) => steps.push(step) });
      expect(steps.length).toBeGreaterThan(0);
      expect(steps).not.toContain('');
    });

    it('an account that is delivered early is the same in the final snapshot', async () => {
      const early: SnapshotAccount[] = [];
      const { accounts } = await snapshot({ onAccount: (account) => early.push(structuredClone(account)) });
      const toldEarly = accounts.filter(({ externalId }) => early.some((told) => told.externalId === externalId));
      expect(toldEarly).toHaveLength(early.length);
      expect(accounts).toEqual(expect.arrayContaining(early));
    });

    it('an aborted snapshot fails with the abort reason', async () => {
      const reason = new Error('enough');
      const controller = new AbortController();
      controller.abort(reason);
      await expect(snapshot({ signal: controller.signal })).rejects.toBe(reason);
    });

    it('a snapshot keeps what it has and sends no more requests once its deadline passes', async () => {
      const late = new ProviderError('network', 'That was not enough time.');
      const controller = new AbortController();
      const { server, isForTransactions } = healthy;
      const hasTransactions = () => server.requests.some(isForTransactions);
      // Before the request that follows the first transactions.
      const budget = { spend: () => Promise.resolve(hasTransactions() ? controller.abort(late) : undefined) };
      const { accounts, problems } = await snapshot({ signal: controller.signal, budget });
      expect(server.requests.slice(server.requests.findIndex(isForTransactions) + 1)).toEqual([]);
      expect(accounts[0]!.balance).not.toBeNull();
      expect(accounts[0]!.transactions.length).toBeGreaterThan(0);
      // One request may bring everything.
      const isWhole = accounts.every(({ covered }) => covered[0]?.from === HISTORY_FROM);
      expect(problems.length > 0).toBe(!isWhole);
      expect(problems.every(({ kind, message }) => kind === 'network' && message.includes(late.message))).toBe(true);
    });

    it.each([
      ['at once', 0],
      ['after the first transactions', 1],
    ])('a snapshot returns the Retry-After of a vendor that refuses transactions %s', async (_, answered) => {
      let asked = 0;
      healthy.server.break((reply, request) => {
        if (!healthy.isForTransactions(request) || asked++ < answered) return reply;
        return { status: 429, headers: { 'Retry-After': String(WAIT_SECONDS) } };
      });
      const outcome = await snapshot().catch((error: unknown) => error as ProviderError);
      expect(outcome.retryAfterSeconds).toBe(asked > answered ? WAIT_SECONDS : null);
    });

    it('a snapshot has all readable accounts and reports the unreadable one', async () => {
      const { accounts: readable } = await snapshot();
      healthy.addUnreadableAccount();
      const { accounts, problems } = await snapshot();
      expect(accounts).toEqual(readable);
      expect(problems).toMatchObject([{ kind: 'unexpected_reply' }]);
    });

    it.each([
      ['cannot be read', 'addUnreadableTransaction', 'unexpected_reply'],
      ['is above the limit', 'addTooLargeTransaction', 'amount_too_large'],
    ] as const)('a snapshot has the transactions beside one that %s, and reports it', async (_, addOne, kind) => {
      const { accounts: readable } = await snapshot();
      healthy[addOne]();
      const { accounts, problems } = await snapshot();
      const [first, ...others] = readable;
      expect(accounts).toEqual([{ ...first!, unreadableRows: 1 }, ...others]);
      expect(problems).toMatchObject([{ kind, accountExternalId: first!.externalId }]);
    });
  });
}

function rowsOf({ accounts }: Pick<BankSnapshot, 'accounts'>): SnapshotTransaction[] {
  return accounts.flatMap(({ transactions }) => transactions);
}
