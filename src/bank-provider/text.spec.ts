import { inspect } from 'node:util';
import { redact } from './redact.js';
import { Secret } from '../config/secret.js';
import { looksLikeHtml, messageText, oneLine, withoutMarkup } from './read-values.js';

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

describe('redaction', () => {
  const token = Buffer.from('https://bridge.example/simplefin/claim/ABCDEF0123456789').toString('base64');

  it.each([
    ['https://user:pass@bank.example/a', 'https://[secret]@bank.example/a'],
    ['http://u:p%40ss@word@bank.example', 'http://[secret]@bank.example'],
    ['{"url":"https:\\/\\/user:pass@bank.example\\/a"}', '{"url":"https:\\/\\/[secret]@bank.example\\/a"}'],
    ['POST https://bank.example/claim/ABC123?x=1', 'POST https://bank.example/claim/[secret]?x=1'],
    [`token ${token} end`, 'token [secret] end'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [secret]'],
    ['authorization: bearer abc.def-ghi', 'authorization: bearer [secret]'],
    ['{\\"X-Api-Key\\":\\"abc-123-def\\"}', '{\\"X-Api-Key\\":\\"[secret]\\"}'],
    ['x-api-key: abc123def', 'x-api-key: [secret]'],
    ['key tm_0123456789abcdefghijABCDEFGHIJ0123456789abcdef gone', 'key tm_[secret] gone'],
    [
      'nothing to hide: mail me@bank.example or see https://bank.example/claims',
      'nothing to hide: mail me@bank.example or see https://bank.example/claims',
    ],
  ])('%j becomes %j', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it('hides a secret in every way to print it', () => {
    const secret = new Secret('hunter2');
    const printed = [
      String(secret),
      `${secret.toString()}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 9 }),
    ];
    expect(printed.join()).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2');
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
