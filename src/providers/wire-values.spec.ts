import { check, decimal, id, text, wireFlag } from './parse-payload.js';

const read = (schema: Parameters<typeof check>[0], value: unknown) => {
  const { value: read, issue } = check(schema, value);
  return issue === null ? read : 'an issue';
};

describe('schemas for loosely typed values', () => {
  it.each([
    ['-12.34', '-12.34'],
    [-12.34, '-12.34'],
    [1e-7, '0.0000001'],
    [0, '0'],
    ['', ''],
    [null, 'an issue'],
    [undefined, 'an issue'],
    [true, 'an issue'],
    [{ amount: 1 }, 'an issue'],
  ])('the amount %p is read as the decimal %p', (value, decimalText) => expect(read(decimal, value)).toBe(decimalText));

  it.each([
    ['T-1', 'T-1'],
    [20417, '20417'],
    [' T 1', ' T 1'],
    ['ключ', 'ключ'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), 'an issue'],
    ['', 'an issue'],
    ['  ', 'an issue'],
    ['T\n1', 'an issue'],
    ['\ud800', 'an issue'],
    [null, 'an issue'],
  ])('the id %p is read as %p', (value, seen) => expect(read(id, value)).toBe(seen));

  it.each([
    ['Shoes', 'Shoes'],
    [5499, '5499'],
    [null, null],
    [undefined, undefined],
    [[], 'an issue'],
  ])('the text %p is read as %p', (value, written) => expect(read(text, value)).toBe(written));

  it.each([
    [true, true],
    [0, false],
    [1, true],
    ['1', true],
    ['TRUE', true],
    [' False ', false],
    ['', false],
    ['no', 'an issue'],
    ['Y', 'an issue'],
    [null, 'an issue'],
  ])('the flag %p is read as %p', (value, raised) => expect(read(wireFlag, value)).toBe(raised));
});
