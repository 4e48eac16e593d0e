import { csvLine, formulaSafe } from './csv.js';

describe('a CSV line', () => {
  it('quotes commas, quotes and line breaks, and ends with CRLF', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', 'old\rMac', '$1,234.56'])).toBe(
      'a,"b,c","say ""hi""","two\nlines","old\rMac","$1,234.56"\r\n',
    );
  });

  it('quotes what separates cells in other locales', () => {
    expect(csvLine(['a;b', 'a\tb'])).toBe('"a;b","a\tb"\r\n');
  });

  it('has an empty cell for null, and numbers and booleans as they are', () => {
    expect(csvLine([null, -12, true, ''])).toBe(',-12,true,\r\n');
  });
});

describe('foreign text', () => {
  it.each([
    '=1+1',
    '+49',
    '-2',
    '@cmd',
    '\r=1',
    '\n=1',
    '＝1+1',
    '＋49',
    '－2',
    '＠cmd',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
  ])('%j is no formula', (text) => expect(formulaSafe(text)).toBe(`'${text}`));

  it.each([
    ['SHOP;=1+1', "SHOP;'=1+1"],
    ['SHOP\t@cmd', "SHOP\t'@cmd"],
    ['SHOP; ＝1;+2', "SHOP;' ＝1;'+2"],
    ['\t=1', "'\t'=1"],
  ])('%j is no formula where a semicolon or tab separates cells', (text, safe) => expect(formulaSafe(text)).toBe(safe));

  it.each(['', 'Coffee = good', "'=1", 'Shop; 2-3'])('%j stays as it is', (text) =>
    expect(formulaSafe(text)).toBe(text),
  );
});
