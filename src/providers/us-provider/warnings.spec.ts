import { concerns, providerWarnings, problemsOf } from './warnings.js';
import { type ReportedError, readAccountSet } from './payload.js';

/** The warning of a single error in the newer dialect. */
function warning(error: object | string, isTextOnly = false) {
  return providerWarnings({ reportedErrors: [error], isTextOnly })[0];
}

function errorsOf(body: object): ReportedError[] {
  const reply = { body: JSON.stringify({ accounts: [], ...body }) };
  return readAccountSet(reply).reportedErrors;
}

describe('providerWarnings', () => {
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
  ])('the error code %s becomes the warning %s with leavesGap %s and stale %s', (code, kind, leavesGap, stale) => {
    const error = { code, msg: 'Something happened.', conn_id: 'CON-1', account_id: null };
    expect(warning(error)).toMatchObject({ kind, leavesGap, stale, connectionId: 'CON-1' });
  });

  it('an error without a connection id does not make balances stale', () => {
    expect(warning({ code: 'con.auth', msg: 'A bank.' })).toMatchObject({ leavesGap: true, stale: false });
  });

  it('an error with empty ids concerns all accounts', () => {
    const named = { code: 'con.auth', msg: 'A bank.', conn_id: '', account_id: '' };
    expect(warning(named)).toEqual(warning({ code: 'con.auth', msg: 'A bank.' }));
  });

  it.each([
    ['msg', { code: 'gen.', msg: 'Here.' }],
    ['message', { code: 'gen.', message: 'Here.' }],
    ['the text itself', 'Here.'],
  ])('the message of an error is read from %s', (_, error) => {
    expect(warning(error)?.message).toBe('The provider reports: “Here.”');
  });

  it('an error without a message still becomes a warning', () => {
    expect(warning({ code: 'con.auth', conn_id: 'CON-1' })?.message).toMatch(/no description/);
    expect(warning({})?.message).toMatch(/no description/);
  });

  it('the message of a warning is short and has no markup, control characters or secrets', () => {
    const msg = `<b>See</b> \u0007https://user:hunter2@bank.example ${'x'.repeat(999)}`;
    const message = warning({ code: 'gen.', msg })!.message;
    expect(message).toMatch(/^The provider reports: “See https:\/\/\[secret\]@bank\.example x+”$/);
    expect(message.length).toBeLessThan(330);
  });
});

describe('errors about the requested date range', () => {
  const CAPPED = 'Requested date range exceeds limit of 90 days and was capped.';
  const ADVICE = 'Requested date range exceeds the recommended range of 45 days and may be capped.';

  it.each([true, false])('a message that the date range was capped leaves a gap (protocol v1: %s)', (isTextOnly) => {
    const gap = { kind: 'data_incomplete', leavesGap: true };
    expect(warning(CAPPED, isTextOnly)).toMatchObject(gap);
    expect(warning({ code: 'gen.api', msg: CAPPED }, isTextOnly)).toMatchObject(gap);
  });

  it.each([true, false])('a message that advises a shorter date range is dropped (protocol v1: %s)', (isTextOnly) => {
    expect(warning(ADVICE, isTextOnly)).toBeUndefined();
    expect(warning({ code: 'gen.api', msg: ADVICE }, isTextOnly)).toBeUndefined();
  });
});

describe('errors in protocol v1', () => {
  it('a message in protocol v1 that a bank needs attention becomes a warning about that institution', () => {
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

  it('a message of unknown meaning leaves a gap in protocol v1, where no error code says otherwise', () => {
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
  ])('a message about the request quota becomes a rate_limited warning: %s', (words) => {
    expect(warning(words, true)).toMatchObject({ kind: 'rate_limited', leavesGap: false });
  });

  it.each([
    'Your bank operates separately; a request failed.',
    'Your bank requests a new sign-in.',
    'Your bank requests each customer to sign in.',
  ])('a message that only resembles one about the quota is not a rate_limited warning: %s', (words) => {
    expect(warning(words, true)).toMatchObject({ kind: 'data_incomplete', leavesGap: true });
  });

  it('a message that a bank needs attention concerns that bank even if it mentions a quota', () => {
    const words = 'Connection to Quota Bank may need attention: it requests a code.';
    expect(warning(words, true)).toMatchObject({ kind: 'account_failed', institution: 'Quota Bank', stale: true });
  });

  it('an empty message gives no warning', () => {
    expect(warning(' ', true)).toBeUndefined();
  });
});

describe('errlist and errors of one response', () => {
  it('errlist and errors are both read whatever protocol version was requested', () => {
    const reportedErrors = errorsOf({ errlist: [{ code: 'con.auth', msg: 'A' }, 'B'], errors: ['C'] });
    expect(reportedErrors).toEqual([expect.objectContaining({ msg: 'A' }), expect.objectContaining({ msg: 'B' }), 'C']);
  });

  it('an error in both errlist and errors counts once', () => {
    expect(errorsOf({ errlist: [{ code: 'con.auth', msg: 'A' }], errors: ['A'] })).toHaveLength(1);
  });

  it.each([[[null]], [[7]], [[[]]], [[{ code: 7, msg: true }]]])('errlist %j becomes a warning', (errlist) => {
    const [error] = errorsOf({ errlist });
    expect(warning(error!)).toMatchObject({ kind: 'data_incomplete' });
  });
});

describe('problemsOf', () => {
  const failed = warning({ code: 'act.failed', msg: 'No.', account_id: 'A' })!;

  it('a warning becomes one problem for each account it concerns', () => {
    const bank = warning({ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' })!;
    expect(problemsOf(bank, ['A', 'B']).map(({ accountExternalId }) => accountExternalId)).toEqual(['A', 'B']);
    expect(problemsOf(bank, [])).toEqual([{ kind: 'account_failed', message: expect.stringContaining('Sign in.') }]);
  });

  it('a problem names its account even if the response does not list it', () => {
    expect(problemsOf(failed, [])[0]?.accountExternalId).toBe('A');
  });

  it('a warning that concerns all accounts becomes one problem', () => {
    expect(problemsOf(warning({ code: 'gen.', msg: 'Hm.' })!, ['A', 'B'])).toHaveLength(1);
  });

  it('a warning that a bank needs a login says to renew the login at the provider', () => {
    expect(warning({ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' })?.message).toMatch(
      /Sign in to the bank again at the provider/,
    );
  });
});
