import { Readable } from 'node:stream';
import { readSecret } from './read-secret.js';

describe('readSecret', () => {
  const { stdin } = process;
  afterEach(() => Object.defineProperty(process, 'stdin', { value: stdin }));

  it('a secret from stdin may arrive in chunks that split a character', async () => {
    const bytes = [...Buffer.from('größer 🔑 als acht\nnot this')].map((byte) => Buffer.of(byte));
    const value = Readable.from(bytes, { objectMode: false, highWaterMark: 1 });
    Object.defineProperty(process, 'stdin', { value, configurable: true });
    expect(await readSecret('Password', new AbortController().signal)).toBe('größer 🔑 als acht');
  });
});
