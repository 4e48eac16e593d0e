import { concerns, providerWarnings, problemsOf } from './warnings.js';
import { type ReportedError, readAccountSet } from './payload.js';

/** The warning of a single error in the newer dialect. */
function warning(error: object | string, isTextOnly = false) {
  return providerWarnings({ reportedErrors: [error], isTextOnly })[0];
}

async function errorsOf(body: object): Promise<ReportedError[]> {
  const reply = { body: JSON.stringify({ accounts: [], ...body }) };
  return (await readAccountSet(reply, new AbortController().signal)).reportedErrors;
}

describe('an error', () => {
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
    [null, 'data_incomplete', true, false],
  ])('%s is %s; gap: %s, old balance: %s', (code, kind, leavesGap, stale) => {
    const error = { code, msg: 'Something happened.', conn_id: 'CON-1', account_id: null };
    expect(warning(error)).toMatchObject({ kind, leavesGap, stale, connectionId: 'CON-1' });
  });

  it('of a connection without its name throws no balance away', () => {
    expect(warning({ code: 'con.auth', msg: 'A bank.' })).toMatchObject({ leavesGap: true, stale: false });
  });

  it('whose ids are empty concerns everything', () => {
    const named = { code: 'con.auth', msg: 'A bank.', conn_id: '', account_id: '' };
    expect(warning(named)).toEqual(warning({ code: 'con.auth', msg: 'A bank.' }));
  });

  it.each([
    ['msg', { code: 'gen.', msg: 'Here.' }],
    ['message', { code: 'gen.', message: 'Here.' }],
    ['the text itself', 'Here.'],
  ])('has its words in %s', (_, error) => {
    expect(warning(error)?.message).toBe('The provider reports: “Here.”');
  });

  it('without words is still one', () => {
    expect(warning({ code: 'con.auth', conn_id: 'CON-1' })?.message).toMatch(/no description/);
    expect(warning({})?.message).toMatch(/no description/);
  });

  it('comes out without markup, control characters and secrets, and short', () => {
    const msg = `<b>See</b> \u0007https://user:hunter2@bank.example ${'x'.repeat(999)}`;
    const message = warning({ code: 'gen.', msg })!.message;
    expect(message).toMatch(/^The provider reports: “See https:\/\/\[secret\]@bank\.example x+”$/);
    expect(message.length).toBeLessThan(330);
  });
});

describe('words about the asked range', () => {
  const CAPPED = 'Requested date range exceeds limit of 90 days and was capped.';
  const ADVICE = 'Requested date range exceeds the recommended range of 45 days and may be capped.';

  it.each([true, false])('that something was cut are a gap (older dialect: %s)', (isTextOnly) => {
    const gap = { kind: 'data_incomplete', leavesGap: true };
    expect(warning(CAPPED, isTextOnly)).toMatchObject(gap);
    expect(warning({ code: 'gen.api', msg: CAPPED }, isTextOnly)).toMatchObject(gap);
  });

  it.each([true, false])('that are advice are dropped (older dialect: %s)', (isTextOnly) => {
    expect(warning(ADVICE, isTextOnly)).toBeUndefined();
    expect(warning({ code: 'gen.api', msg: ADVICE }, isTextOnly)).toBeUndefined();
  });
});

describe('words of the older dialect', () => {
  it('name a bank that needs attention', () => {
    const trouble = warning('Connection to Tidewater Bank may need attention', true)!;
    expect(trouble).toMatchObject({
      kind: 'account_failed',
      institution: 'Tidewater Bank',
      leavesGap: true,
      stale: true,
    });
    expect(concerns(trouble, { id: 'A', connectionId: null, institutions: ['TIDEWATER BANK', null] })).toBe(true);
    expect(concerns(trouble, { id: 'A', connectionId: null, institutions: ['North Quay', undefined] })).toBe(false);
  });

  it('leave a gap when they are unknown, since no code says so', () => {
    expect(warning('Something went wrong at a bank.', true)).toMatchObject({
      kind: 'data_incomplete',
      leavesGap: true,
    });
    expect(warning('Something went wrong at a bank.', false)).toMatchObject({ leavesGap: false });
  });

  it.each([
    'You have exceeded your quota.',
    'Too many requests today',
    'Rate limit reached',
    'Keep below 24 requests per day',
    'You have used your 24 requests.',
    'Your requests limit is reached.',
    'Only a few requests per day are allowed',
  ])('on the quota are a warning: %s', (words) => {
    expect(warning(words, true)).toMatchObject({ kind: 'rate_limited', leavesGap: false });
  });

  it.each([
    'Your bank operates separately; a request failed.',
    'Your bank requests a new sign-in.',
    'Your bank requests each customer to sign in.',
  ])('that only contain such letters are none: %s', (words) => {
    expect(warning(words, true)).toMatchObject({ kind: 'data_incomplete', leavesGap: true });
  });

  it('name a bank that needs attention, whatever else they say', () => {
    const words = 'Connection to Quota Bank may need attention: it requests a code.';
    expect(warning(words, true)).toMatchObject({ kind: 'account_failed', institution: 'Quota Bank', stale: true });
  });

  it('that are empty say nothing', () => {
    expect(warning(' ', true)).toBeUndefined();
  });
});

describe('both lists of errors', () => {
  it('are read whatever dialect was asked for', async () => {
    const reportedErrors = await errorsOf({ errlist: [{ code: 'con.auth', msg: 'A' }, 'B'], errors: ['C'] });
    expect(reportedErrors).toEqual([expect.objectContaining({ msg: 'A' }), expect.objectContaining({ msg: 'B' }), 'C']);
  });

  it('count what both of them say once', async () => {
    expect(await errorsOf({ errlist: [{ code: 'con.auth', msg: 'A' }], errors: ['A'] })).toHaveLength(1);
  });

  it.each([[[null]], [[7]], [[[]]], [[{ code: 7, msg: true }]]])('may hold %j without harm', async (errlist) => {
    const [error] = await errorsOf({ errlist });
    expect(warning(error!)).toMatchObject({ kind: 'data_incomplete' });
  });
});

describe('a warning as problems', () => {
  const failed = warning({ code: 'act.failed', msg: 'No.', account_id: 'A' })!;

  it('stands once for each account it concerns', () => {
    const bank = warning({ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' })!;
    expect(problemsOf(bank, ['A', 'B']).map(({ accountExternalId }) => accountExternalId)).toEqual(['A', 'B']);
    expect(problemsOf(bank, [])).toEqual([{ kind: 'account_failed', message: expect.stringContaining('Sign in.') }]);
  });

  it('names an account although the answer does not list it', () => {
    expect(problemsOf(failed, [])[0]?.accountExternalId).toBe('A');
  });

  it('that concerns everything stands once', () => {
    expect(problemsOf(warning({ code: 'gen.', msg: 'Hm.' })!, ['A', 'B'])).toHaveLength(1);
  });

  it('says that a login is renewed at the provider, not here', () => {
    expect(warning({ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' })?.message).toMatch(
      /Renew the login at the provider/,
    );
  });
});
