import { Readable } from 'node:stream';
import { readSecret } from './read-secret.js';

describe('a secret from stdin', () => {
  const { stdin } = process;
  afterEach(() => Object.defineProperty(process, 'stdin', { value: stdin }));

  it('may come in parts that divide a character', async () => {
    const bytes = [...Buffer.from('größer 🔑 als acht\nnot this')].map((byte) => Buffer.of(byte));
    const value = Readable.from(bytes, { objectMode: false, highWaterMark: 1 });
    Object.defineProperty(process, 'stdin', { value, configurable: true });
    expect(await readSecret('Password', new AbortController().signal)).toBe('größer 🔑 als acht');
  });
});
