import { csvLine, formulaSafe } from './csv.js';

describe('a CSV line', () => {
  it('quotes commas, quotes and line breaks, and ends with CRLF', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', 'old\rMac', '$1,234.56'])).toBe(
      'a,"b,c","say ""hi""","two\nlines","old\rMac","$1,234.56"\r\n',
    );
  });

  it('has an empty cell for null, and numbers and booleans as they are', () => {
    expect(csvLine([null, -12, true, ''])).toBe(',-12,true,\r\n');
  });
});

describe('foreign text', () => {
  it.each(['=1+1', '+49', '-2', '@cmd', '\t=1', '\r=1', '\n=1', '＝1+1', '＋49', '－2', '＠cmd'])(
    '%j is no formula',
    (text) => expect(formulaSafe(text)).toBe(`'${text}`),
  );

  it.each(['', 'Coffee = good', "'=1", ' =1'])('%j stays as it is', (text) => expect(formulaSafe(text)).toBe(text));
});
