import { AppLogger, redact } from './logger.js';

function logged(write: (logger: AppLogger) => void): string {
  const lines: string[] = [];
  write(new AppLogger('debug', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  it('takes credentials out of addresses and claim codes out of paths', () => {
    expect(redact('GET https://user:pa%2Fss@bridge.example/simplefin/accounts failed')).toBe(
      'GET https://[secret]@bridge.example/simplefin/accounts failed',
    );
    expect(redact('POST https://bridge.example/simplefin/claim/ABC123?x=1')).not.toContain('ABC123');
  });

  it('never writes the value of a secret field', () => {
    const text = logged((logger) =>
      logger.log({ message: 'connected', setup_token: 'T0KEN', nested: { password: 'PW' } }, 'Test'),
    );
    expect(text).toContain('connected');
    expect(text).not.toMatch(/T0KEN|"PW"/);
  });

  it('redacts stacks and messages of errors', () => {
    const text = logged((logger) =>
      logger.error('failed at https://u:p4ss@host/x', 'Error: https://u:p4ss@host/x\n    at y', 'Test'),
    );
    expect(text).not.toContain('p4ss');
    expect(JSON.parse(text)).toMatchObject({ level: 50, context: 'Test' });
  });
});
