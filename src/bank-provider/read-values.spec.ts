import { accountNameOf, looksLikeHtml, messageText, oneLine, reportedCurrency, withoutMarkup } from './read-values.js';

describe('an account', () => {
  it.each([
    ['usd', 'USD'],
    ['eur', 'EUR'],
    [' EUR ', 'EUR'],
    ['BTC', 'BTC'],
    ['https://bridge.example/currency/miles', 'https://bridge.example/currency/miles'],
    ['', null],
    [null, null],
    [undefined, null],
  ])('with the currency %j has %j', (currency, code) => {
    expect(reportedCurrency(currency)).toBe(code);
  });

  it('without a name gets one, and a name is at most 200 characters', () => {
    expect(accountNameOf('\u0000 ')).toBe('Unnamed account');
    expect(accountNameOf('\u3164\u200d')).toBe('Unnamed account');
    expect(accountNameOf(null)).toBe('Unnamed account');
    expect(accountNameOf('x'.repeat(999))).toHaveLength(200);
  });
});

describe('a text on one line', () => {
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
  ])('%j is %j', (text, line) => {
    expect(oneLine(text, 100)).toBe(line);
  });

  it('is cut at its length, but not in the middle of a character', () => {
    expect(oneLine('abcdef', 4)).toBe('abcd');
    expect(oneLine('abc😀', 4)).toBe('abc');
    expect(oneLine('abc def', 4)).toBe('abc');
  });
});

describe('the text of a bank', () => {
  it.each([
    ['<b>Cafe</b><br/>Lac', ' Cafe  Lac'],
    ['<a href="https://evil.test">Shop</a>', ' Shop '],
    ['Shop<script>alert(1)</script>', 'Shop '],
    ['Brot &amp; Butter &quot;Nord&quot;', 'Brot & Butter "Nord"'],
    ['&lt;script&gt;', '&lt;script&gt;'],
    ['Smith <smith@bank.example>', 'Smith <smith@bank.example>'],
    ['balance < 5 and > 3', 'balance < 5 and > 3'],
  ])('%j without markup is %j', (text, plain) => {
    expect(withoutMarkup(text)).toBe(plain);
  });
});

describe('a message for a person', () => {
  it.each([
    ['Trouble <b>at</b> the <a href="http://x">bank</a>', 'Trouble at the bank'],
    ['<script>alert(1)</script>Sorry', 'Sorry'],
    ['<style>p{}</style><!-- hidden -->Sorry<br/>again', 'Sorry again'],
    ['balance < 5 and > 3', 'balance < 5 and > 3'],
    ['see https://user:pass@bank.example/x', 'see https://[secret]@bank.example/x'],
  ])('%j reads %j', (text, message) => {
    expect(messageText(text)).toBe(message);
  });

  it('is short, however long the text', () => {
    expect(messageText('word '.repeat(100_000))).toHaveLength(299);
  });
});

describe('a page for people', () => {
  it.each(['<!DOCTYPE html><p>', '\n <html lang="en">', '<?xml version="1.0"?>', '<!-- cdn --><html>'])(
    '%j is one',
    (body) => {
      expect(looksLikeHtml(body)).toBe(true);
    },
  );

  it.each(['{"a":"<html>"}', 'Forbidden', ''])('%j is none', (body) => {
    expect(looksLikeHtml(body)).toBe(false);
  });
});
