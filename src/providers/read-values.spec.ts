import { accountNameOf, looksLikeHtml, messageText, oneLine, reportedCurrency, withoutMarkup } from './read-values.js';

describe('reportedCurrency and accountNameOf', () => {
  it.each([
    ['usd', 'USD'],
    ['eur', 'EUR'],
    [' EUR ', 'EUR'],
    ['BTC', 'BTC'],
    ['https://bridge.example/currency/miles', 'https://bridge.example/currency/miles'],
    ['', null],
    [null, null],
    [undefined, null],
  ])('the reported currency %j is read as %j', (currency, code) => {
    expect(reportedCurrency(currency)).toBe(code);
  });

  it('an account without a visible name is called “Unnamed account”, and a name is cut to 200 characters', () => {
    expect(accountNameOf('\u0000 ')).toBe('Unnamed account');
    expect(accountNameOf('\u3164\u200d')).toBe('Unnamed account');
    expect(accountNameOf(null)).toBe('Unnamed account');
    expect(accountNameOf('x'.repeat(999))).toHaveLength(200);
  });
});

describe('oneLine', () => {
  it.each([
    ['  two   words\n\tmore ', 'two words more'],
    ['bell\u0007 null\u0000 escape\u001b[31m red\u001b[0m', 'bell null escape red'],
    ['turned \u202e round, zero\u200bwidth, line\u2028separator', 'turned round, zero width, line separator'],
    ['half a pair \ud83d, a whole one 😀', 'half a pair , a whole one 😀'],
    ['a family 👨‍👩‍👧 and 普通預金', 'a family 👨‍👩‍👧 and 普通預金'],
    ['<b>markup is kept as it is</b> &amp;', '<b>markup is kept as it is</b> &amp;'],
    ['\u0000\u0001', ''],
    ['\u200d\u00ad \ufe0f\u200b', ''],
    ['\u3164\uffa0', ''],
    ['\u2800 \u2800', ''],
    ['\u{e0041}\u{e0042}', ''],
  ])('the text %j is put on one line as %j', (text, line) => {
    expect(oneLine(text, 100)).toBe(line);
  });

  it('a text is cut at the maximum length, but not within a character', () => {
    expect(oneLine('abcdef', 4)).toBe('abcd');
    expect(oneLine('abc😀', 4)).toBe('abc');
    expect(oneLine('abc def', 4)).toBe('abc');
  });
});

describe('withoutMarkup', () => {
  it.each([
    ['<b>Cafe</b><br/>Lac', ' Cafe  Lac'],
    ['<a href="https://evil.test">Shop</a>', ' Shop '],
    ['Shop<script>alert(1)</script>', 'Shop '],
    ['Brot &amp; Butter &quot;Nord&quot;', 'Brot & Butter "Nord"'],
    ['&lt;script&gt;', '&lt;script&gt;'],
    ['Smith <smith@bank.example>', 'Smith <smith@bank.example>'],
    ['balance < 5 and > 3', 'balance < 5 and > 3'],
  ])('the text %j without markup is %j', (text, plain) => {
    expect(withoutMarkup(text)).toBe(plain);
  });
});

describe('messageText', () => {
  it.each([
    ['Trouble <b>at</b> the <a href="http://x">bank</a>', 'Trouble at the bank'],
    ['<script>alert(1)</script>Sorry', 'Sorry'],
    ['<style>p{}</style><!-- hidden -->Sorry<br/>again', 'Sorry again'],
    ['balance < 5 and > 3', 'balance < 5 and > 3'],
    ['see https://user:pass@bank.example/x', 'see https://[secret]@bank.example/x'],
  ])('the provider message %j is shown as %j', (text, message) => {
    expect(messageText(text)).toBe(message);
  });

  it('a long provider message is cut to 299 characters', () => {
    expect(messageText('word '.repeat(100_000))).toHaveLength(299);
  });
});

describe('looksLikeHtml', () => {
  it.each(['<!DOCTYPE html><p>', '\n <html lang="en">', '<?xml version="1.0"?>', '<!-- cdn --><html>'])(
    'the body %j looks like HTML',
    (body) => {
      expect(looksLikeHtml(body)).toBe(true);
    },
  );

  it.each(['{"a":"<html>"}', 'Forbidden', ''])('the body %j does not look like HTML', (body) => {
    expect(looksLikeHtml(body)).toBe(false);
  });
});
