import { csvLine, formulaSafe } from './csv.js';

describe('csvLine', () => {
  it('a CSV line quotes commas, quotes and line breaks, and ends with CRLF', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', 'old\rMac', '$1,234.56'])).toBe(
      'a,"b,c","say ""hi""","two\nlines","old\rMac","$1,234.56"\r\n',
    );
  });

  it('a CSV cell with a semicolon or a tab is quoted', () => {
    expect(csvLine(['a;b', 'a\tb'])).toBe('"a;b","a\tb"\r\n');
  });

  it('a CSV line has an empty cell for null, and numbers and booleans unquoted', () => {
    expect(csvLine([null, -12, true, ''])).toBe(',-12,true,\r\n');
  });
});

describe('formulaSafe', () => {
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
  ])('text that starts like a formula gets an apostrophe in front: %j', (text) =>
    expect(formulaSafe(text)).toBe(`'${text}`),
  );

  it.each([
    ['SHOP;=1+1', "SHOP;'=1+1"],
    ['SHOP\t@cmd', "SHOP\t'@cmd"],
    ['SHOP; ＝1;+2', "SHOP;' ＝1;'+2"],
    ['\t=1', "'\t'=1"],
  ])('a formula behind a semicolon or tab gets an apostrophe in front: %j', (text, safe) =>
    expect(formulaSafe(text)).toBe(safe),
  );

  it.each(['', 'Coffee = good', "'=1", 'Shop; 2-3'])(
    'text that does not start like a formula is unchanged: %j',
    (text) => expect(formulaSafe(text)).toBe(text),
  );
});
