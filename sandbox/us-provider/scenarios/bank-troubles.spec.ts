import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const MONTH = 'start-date=1792540800';
const HALF_YEAR = 'start-date=1779580800';

describe('scenarios of the US sandbox with errors of a bank', () => {
  it('sandbox scenario bank-needs-login reports one connection, whose accounts are outdated', async () => {
    const set = await player.ask('bank-needs-login', `version=2&pending=1&${MONTH}`);
    const healthy = await player.ask('healthy', `version=2&pending=1&${MONTH}`);
    expect(set.errlist).toEqual([{ code: 'con.auth', msg: expect.any(String), conn_id: set.connections![1]!.conn_id }]);
    const changed = set.accounts.filter((account, index) => account.balance !== healthy.accounts[index]!.balance);
    expect(changed.map(({ conn_id }) => conn_id)).toEqual([set.connections![1]!.conn_id]);
    expect(changed[0]!['balance-date']).toBe(healthy.accounts[2]!['balance-date'] - 5 * 86_400);
    expect((await player.ask('bank-needs-login')).errors).toEqual(['Connection to Pinecrest Bank may need attention']);
  });

  it('sandbox scenario account-failed reports one account, which has an old balance and no transactions', async () => {
    const set = await player.ask('account-failed', `version=2&${MONTH}`);
    const [account] = set.accounts;
    expect(set.errlist).toEqual([{ code: 'act.failed', msg: expect.any(String), account_id: account!.id }]);
    expect(account!.transactions).toEqual([]);
    player.today = '2026-11-19';
    expect(account!.balance).toBe((await player.firstAccount('healthy')).balance);
    player.today = '2026-11-21';
  });

  it('sandbox scenario data-missing reports one account, which has the right balance and lacks transactions', async () => {
    const set = await player.ask('data-missing', `version=2&${MONTH}`);
    const healthy = await player.firstAccount('healthy', MONTH);
    expect(set.errlist).toEqual([{ code: 'act.missingdata', msg: expect.any(String), account_id: healthy.id }]);
    expect(set.accounts[0]!.balance).toBe(healthy.balance);
    const lost = healthy.transactions.length - set.accounts[0]!.transactions.length;
    expect(lost).toBeGreaterThan(3);
    expect(set.accounts[0]!.transactions.length).toBeGreaterThan(lost);
  });

  it('sandbox scenario accounts-empty lists no account', async () => {
    expect((await player.ask('accounts-empty', 'version=2')).accounts).toEqual([]);
  });

  it('sandbox scenario accounts-vanish lists accounts in the first sync only', async () => {
    const counts = [];
    for (const query of ['balances-only=1', MONTH, 'balances-only=1', MONTH]) {
      counts.push((await player.ask('accounts-vanish', query)).accounts.length);
    }
    expect(counts).toEqual([6, 6, 0, 0]);
  });

  it('sandbox scenario account-closed lists one of the accounts in the first sync only', async () => {
    const counts = [];
    for (const query of [MONTH, MONTH]) counts.push((await player.ask('account-closed', query)).accounts.length);
    expect(counts).toEqual([6, 5]);
  });

  it('sandbox scenario window-capped cuts a window of 44 days and reports it', async () => {
    const set = await player.ask('window-capped', 'version=2&start-date=1791417600');
    expect(set.errlist).toEqual([{ code: 'gen.api', msg: expect.stringContaining('was capped') }]);
    const days = set.accounts.flatMap(({ transactions }) => transactions.map(({ posted }) => posted));
    expect(Math.min(...days)).toBeGreaterThanOrEqual(1795219200 - 30 * 86_400);
  });

  it('sandbox scenario window-advice returns everything and advises a shorter range', async () => {
    const set = await player.ask('window-advice', MONTH);
    expect(set.errors).toEqual([expect.stringContaining('may be capped')]);
    expect(set.accounts).toEqual((await player.ask('healthy', MONTH)).accounts);
  });

  it('sandbox scenarios window-capped-v1 and window-advice-v1 report errors in protocol v1', async () => {
    for (const [scenario, words] of [
      ['window-capped-v1', 'was capped'],
      ['window-advice-v1', 'may be capped'],
    ] as const) {
      const set = await player.ask(scenario, 'version=2&start-date=1791417600');
      expect(set).not.toHaveProperty('errlist');
      expect(set.errors).toEqual([expect.stringContaining(words)]);
    }
  });

  it('sandbox scenario healthy caps a window of half a year', async () => {
    expect((await player.ask('healthy', HALF_YEAR)).errors).toEqual([expect.stringContaining('was capped')]);
  });

  it('sandbox scenario error-unknown-code reports unknown error codes', async () => {
    const { errlist } = await player.ask('error-unknown-code', 'version=2');
    expect(errlist!.map(({ code }) => code)).toEqual(['con.newthing', 'zzz.surprise']);
    expect((await player.ask('error-unknown-code')).errors).toHaveLength(2);
  });

  it('sandbox scenario error-message-key has the text of an error under the key “message”', async () => {
    const { errlist } = await player.ask('error-message-key', 'version=2');
    expect(errlist).toEqual([{ code: 'gen.', message: 'Text under the other key.' }]);
    expect((await player.ask('error-message-key')).errors).toEqual(['Text under the other key.']);
  });

  it('sandbox scenario error-plain-text has a string among the error objects', async () => {
    expect((await player.ask('error-plain-text', 'version=2')).errlist).toEqual(['Just a text.']);
  });
});
