import { plainArray, textArray } from './array-literal.js';

describe('an array as PostgreSQL writes it', () => {
  it('keeps null, the text NULL and the empty text apart', () => {
    expect(textArray([null, 'NULL', ''])).toBe('{NULL,"NULL",""}');
  });

  it('escapes what would end a text', () => {
    expect(textArray(['say "yes"', 'a\\b', '{a,b}', 'two\nlines'])).toBe(
      '{"say \\"yes\\"","a\\\\b","{a,b}","two\nlines"}',
    );
  });

  it('leaves numbers, booleans and days as they are', () => {
    expect(plainArray([1, -2, true, '2026-03-15'])).toBe('{1,-2,true,2026-03-15}');
    expect([plainArray([]), textArray([])]).toEqual(['{}', '{}']);
  });
});
