import { check } from './parse-payload.js';
import { decimal, flag, id, text } from './wire-values.js';

const read = (schema: Parameters<typeof check>[0], value: unknown) => {
  const { value: read, surprise } = check(schema, value);
  return surprise === null ? read : 'a surprise';
};

describe('what providers write loosely', () => {
  it.each([
    ['-12.34', '-12.34'],
    [-12.34, '-12.34'],
    [1e-7, '0.0000001'],
    [0, '0'],
    ['', ''],
    [null, 'a surprise'],
    [undefined, 'a surprise'],
    [true, 'a surprise'],
    [{ amount: 1 }, 'a surprise'],
  ])('is a decimal: %p as %p', (value, decimalText) => expect(read(decimal, value)).toBe(decimalText));

  it.each([
    ['T-1', 'T-1'],
    [20417, '20417'],
    [' T 1', ' T 1'],
    ['ключ', 'ключ'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), 'a surprise'],
    ['', 'a surprise'],
    ['  ', 'a surprise'],
    ['T\n1', 'a surprise'],
    ['\ud800', 'a surprise'],
    [null, 'a surprise'],
  ])('is an id of characters that a person sees: %p as %p', (value, seen) => expect(read(id, value)).toBe(seen));

  it.each([
    ['Shoes', 'Shoes'],
    [5499, '5499'],
    [null, null],
    [undefined, undefined],
    [[], 'a surprise'],
  ])('is a text: %p as %p', (value, written) => expect(read(text, value)).toBe(written));

  it.each([
    [true, true],
    [0, false],
    [1, true],
    ['1', true],
    ['TRUE', true],
    ['no', false],
    [null, 'a surprise'],
  ])('is a flag: %p as %p', (value, raised) => expect(read(flag, value)).toBe(raised));
});
