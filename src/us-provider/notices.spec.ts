import { concerns, noticesOf, problemsOf } from './notices.js';
import { type Complaint, readAccountSet } from './payload.js';

/** What is made of a single complaint in the newer dialect. */
function notice(complaint: object | string, isWordsOnly = false) {
  return noticesOf({ complaints: [complaint], isWordsOnly })[0];
}

async function complaintsOf(body: object): Promise<Complaint[]> {
  const reply = { body: JSON.stringify({ accounts: [], ...body }) };
  return (await readAccountSet(reply, new AbortController().signal)).complaints;
}

describe('a complaint', () => {
  it.each([
    ['con.auth', 'account_failed', true, true],
    ['con.', 'account_failed', true, true],
    ['con.newthing', 'account_failed', true, true],
    ['act.failed', 'account_failed', true, true],
    ['act.missingdata', 'data_incomplete', true, false],
    ['act.', 'account_failed', true, false],
    ['act.newthing', 'account_failed', true, false],
    ['gen.', 'data_incomplete', false, false],
    ['gen.api', 'data_incomplete', false, false],
    ['gen.newthing', 'data_incomplete', false, false],
    ['zzz.surprise', 'data_incomplete', false, false],
    ['nonsense', 'data_incomplete', false, false],
    [null, 'data_incomplete', false, false],
  ])('%s is %s; gap: %s, old balance: %s', (code, kind, leavesGap, stale) => {
    const complaint = { code, msg: 'Something happened.', conn_id: 'CON-1', account_id: null };
    expect(notice(complaint)).toMatchObject({ kind, leavesGap, stale, connectionId: 'CON-1' });
  });

  it('of a connection without its name throws no balance away', () => {
    expect(notice({ code: 'con.auth', msg: 'A bank.' })).toMatchObject({ leavesGap: true, stale: false });
  });

  it.each([
    ['msg', { code: 'gen.', msg: 'Here.' }],
    ['message', { code: 'gen.', message: 'Here.' }],
    ['the text itself', 'Here.'],
  ])('has its words in %s', (_, complaint) => {
    expect(notice(complaint)?.message).toBe('The provider reports: “Here.”');
  });

  it('without words is still one', () => {
    expect(notice({ code: 'con.auth', conn_id: 'CON-1' })?.message).toMatch(/trouble without words/);
    expect(notice({})?.message).toMatch(/trouble without words/);
  });

  it('comes out without markup, control characters and secrets, and short', () => {
    const msg = `<b>See</b> \u0007https://user:hunter2@bank.example ${'x'.repeat(999)}`;
    const message = notice({ code: 'gen.', msg })!.message;
    expect(message).toMatch(/^The provider reports: “See https:\/\/\[secret\]@bank\.example x+”$/);
    expect(message.length).toBeLessThan(330);
  });
});

describe('words about the asked range', () => {
  const CAPPED = 'Requested date range exceeds limit of 90 days and was capped.';
  const ADVICE = 'Requested date range exceeds the recommended range of 45 days and may be capped.';

  it.each([true, false])('that something was cut are a gap (older dialect: %s)', (isWordsOnly) => {
    const gap = { kind: 'data_incomplete', leavesGap: true };
    expect(notice(CAPPED, isWordsOnly)).toMatchObject(gap);
    expect(notice({ code: 'gen.api', msg: CAPPED }, isWordsOnly)).toMatchObject(gap);
  });

  it.each([true, false])('that are advice are no news (older dialect: %s)', (isWordsOnly) => {
    expect(notice(ADVICE, isWordsOnly)).toBeUndefined();
    expect(notice({ code: 'gen.api', msg: ADVICE }, isWordsOnly)).toBeUndefined();
  });
});

describe('words of the older dialect', () => {
  it('name a bank in trouble', () => {
    const trouble = notice('Connection to Tidewater Bank may need attention', true)!;
    expect(trouble).toMatchObject({
      kind: 'account_failed',
      institution: 'Tidewater Bank',
      leavesGap: true,
      stale: true,
    });
    expect(concerns(trouble, { id: 'A', connectionId: null, institutions: ['TIDEWATER BANK', null] })).toBe(true);
    expect(concerns(trouble, { id: 'A', connectionId: null, institutions: ['North Quay', undefined] })).toBe(false);
  });

  it('leave a gap when they are not known, since there is no code to tell it', () => {
    expect(notice('Something went wrong at a bank.', true)).toMatchObject({ kind: 'data_incomplete', leavesGap: true });
    expect(notice('Something went wrong at a bank.', false)).toMatchObject({ leavesGap: false });
  });

  it.each([
    'You have exceeded your quota.',
    'Too many requests today',
    'Rate limit reached',
    'Keep below 24 requests per day',
  ])('on the quota are a warning: %s', (words) => {
    expect(notice(words, true)).toMatchObject({ kind: 'rate_limited', leavesGap: false });
  });

  it('that only contain such letters are none', () => {
    expect(notice('Your bank operates separately; a request failed.')).toMatchObject({ kind: 'data_incomplete' });
  });

  it('that are empty say nothing', () => {
    expect(notice(' ', true)).toBeUndefined();
  });
});

describe('both lists of complaints', () => {
  it('are read whatever dialect was asked for', async () => {
    const complaints = await complaintsOf({ errlist: [{ code: 'con.auth', msg: 'A' }, 'B'], errors: ['C'] });
    expect(complaints).toEqual([expect.objectContaining({ msg: 'A' }), 'B', 'C']);
  });

  it('count what both of them say once', async () => {
    expect(await complaintsOf({ errlist: [{ code: 'con.auth', msg: 'A' }], errors: ['A'] })).toHaveLength(1);
  });

  it.each([[[null]], [[7]], [[[]]], [[{ code: 7, msg: true }]]])('may hold %j without harm', async (errlist) => {
    const [complaint] = await complaintsOf({ errlist });
    expect(notice(complaint!)).toMatchObject({ kind: 'data_incomplete' });
  });
});

describe('a notice as problems', () => {
  const failed = notice({ code: 'act.failed', msg: 'No.', account_id: 'A' })!;

  it('stands once for each account it concerns', () => {
    const bank = notice({ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' })!;
    expect(problemsOf(bank, ['A', 'B']).map(({ accountExternalId }) => accountExternalId)).toEqual(['A', 'B']);
    expect(problemsOf(bank, [])).toEqual([{ kind: 'account_failed', message: expect.stringContaining('Sign in.') }]);
  });

  it('names an account although the answer does not list it', () => {
    expect(problemsOf(failed, [])[0]?.accountExternalId).toBe('A');
  });

  it('that concerns everything stands once', () => {
    expect(problemsOf(notice({ code: 'gen.', msg: 'Hm.' })!, ['A', 'B'])).toHaveLength(1);
  });

  it('tells that a login is renewed at the provider, not here', () => {
    expect(notice({ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' })?.message).toMatch(/renewed at the provider/);
  });
});
