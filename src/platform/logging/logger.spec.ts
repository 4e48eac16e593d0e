import { AppLogger, Repeats } from './logger.js';

function logged(write: (logger: AppLogger) => void, level = 'debug', opened: string[] = []): string {
  const lines: string[] = [];
  write(new AppLogger(level, { opened, destination: { write: (line: string) => void lines.push(line) } }));
  return lines.join('');
}

const token = Buffer.from('https://bridge.example/simplefin/claim/ABC123').toString('base64');

/** What holds a secret, and the part of it that must not be seen. */
const SECRETS = [
  ['an access URL', 'GET https://user:pa%2Fss@bridge.example/simplefin/accounts failed', 'pa%2Fss'],
  ['a claim URL', 'POST https://bridge.example/simplefin/claim/ABC123?x=1 failed', 'ABC123'],
  ['a setup token', `token ${token} refused`, token],
  ['an authorization header', 'sent Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['a key in a header', '{"x-api-key":"k3y-of-a-provider"}', 'k3y-of-a-provider'],
  ['an access URL in JSON', '{"url":"https:\\/\\/user:pa55@bank.example\\/a"}', 'pa55'],
] as const;

describe('AppLogger', () => {
  it.each(SECRETS)('the log never contains the secret in %s', (_, text, secret) => {
    const lines = logged((logger) => {
      logger.log(text, 'Test');
      logger.warn(new Error(text), 'Test');
      logger.error('failed', `Error: ${text}\n    at y`, 'Test');
      logger.debug({ message: 'asked', request: { urls: [{ url: text }] } }, 'Test');
    });
    expect(lines).not.toContain(secret);
    const written = lines.trim().split('\n');
    expect(written.map((line) => JSON.parse(line).level)).toEqual([30, 40, 50, 20]);
  });

  it('route mappings of Nest are logged at debug level only', () => {
    const wire = (logger: AppLogger) => logger.log('Mapped {/api/v1/balances, GET} route', 'RouterExplorer');
    expect(logged(wire, 'info')).toBe('');
    expect(JSON.parse(logged(wire, 'debug'))).toMatchObject({ level: 20, context: 'RouterExplorer' });
  });

  it('text without a secret is logged unchanged', () => {
    const text = 'Sync 7 of https://bank.example/claims failed for me@bank.example';
    expect(JSON.parse(logged((logger) => logger.log(text, 'Test')))).toMatchObject({ msg: text, context: 'Test' });
  });

  it.each(['info', 'silent'])('at level %s the log has debug lines of an opened context and of no other', (level) => {
    const lines = logged(
      (logger) => {
        logger.debug('wanted', 'Opened');
        logger.debug('unwanted', 'Test');
      },
      level,
      ['Opened'],
    );
    expect(lines.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(lines)).toMatchObject({ level: 20, msg: 'wanted', context: 'Opened' });
  });

  it('a repeated warning is logged three times, counted separately for each sync', () => {
    const lines = logged((logger) => {
      for (const sync of [1, 1, 1, 1, 2]) logger.warn({ message: 'lost', sync }, 'Test');
      for (let i = 0; i < 3; i++) logger.error('broken', 'Test');
    });
    const written = lines.trim().split('\n');
    expect(written.map((line) => JSON.parse(line).msg)).toEqual([
      'lost',
      'lost',
      'lost',
      'lost',
      'broken',
      'broken',
      'broken',
    ]);
  });

  it('the message of structured fields is logged once', () => {
    const line = logged((logger) => logger.debug({ message: 'asked', status: 200 }, 'Test'));
    expect(JSON.parse(line)).toEqual({
      level: 20,
      time: expect.any(Number),
      context: 'Test',
      status: 200,
      msg: 'asked',
    });
  });

  it('the value of a secret field is never logged', () => {
    const text = logged((logger) =>
      logger.log({ message: 'connected', setup_token: 'T0KEN', nested: { password: 'PW' } }, 'Test'),
    );
    expect(text).toContain('connected');
    expect(text).not.toMatch(/T0KEN|"PW"/);
  });
});

describe('Repeats', () => {
  it('a repeated line is logged three times in ten seconds, and then with the number of those left out', () => {
    let nowMs = 0;
    const repeats = new Repeats(() => nowMs);
    const at = (ms: number, line: string) => {
      nowMs = ms;
      return repeats.admit(line);
    };
    expect([at(0, 'lost'), at(1, 'lost'), at(2, 'other'), at(3, 'lost'), at(4, 'lost')]).toEqual([0, 0, 0, 0, null]);
    expect([at(9_999, 'lost'), at(10_000, 'lost'), at(10_001, 'lost'), at(90_000, 'lost')]).toEqual([null, 2, 0, 0]);
  });

  it('the oldest repeated lines are forgotten if there are too many to remember', () => {
    const repeats = new Repeats(() => 0);
    for (let i = 0; i <= 500; i++) repeats.admit(`line ${i}`);
    const again = (line: string) => [1, 2, 3].map(() => repeats.admit(line));
    expect([again('line 0'), again('line 500')]).toEqual([
      [0, 0, 0],
      [0, 0, null],
    ]);
  });
});
