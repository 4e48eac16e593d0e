import { ProviderError, ProviderInputError } from '../bank-provider/provider-error.js';
import { Secret } from '../config/secret.js';
import { accessOf, accessUrlOf, claimUrlOf } from './credential.js';

const RULES = { allowedHosts: ['*.bridge.example'], allowPrivateNetwork: false };
const CLAIM = 'https://beta.bridge.example/simplefin/claim/ABC?123~';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a setup token', () => {
  it.each([
    ['as it is', base64(CLAIM)],
    ['wrapped and with blanks around it', `  ${base64(CLAIM).replace(/.{20}/g, '$&\r\n')}\t`],
    ['without its padding', base64(CLAIM).replace(/=+$/, '')],
    ['in the alphabet for addresses', Buffer.from(CLAIM).toString('base64url')],
    ['with a line break inside', base64(`${CLAIM}\n`)],
  ])('gives its claim address %s', (_, token) => {
    expect(claimUrlOf(new Secret(token), RULES).href).toBe(CLAIM);
  });

  it.each([
    ['nothing', '', /^is not base64 text/],
    ['a sentence', 'my token, please!', /^is not base64 text/],
    ['the address itself', CLAIM, /^is not base64 text/],
    ['base64 of something else', base64('hello there'), /^contains no address/],
    ['base64 of a path', base64('/simplefin/claim/ABC'), /^contains no address/],
    ['base64 of bytes', Buffer.from([0xff, 0xfe, 0x00]).toString('base64'), /^contains no address/],
    ['an address without host', base64('https://'), /^contains no address/],
    ['an unencrypted address', base64('http://beta.bridge.example/claim/ABC'), /^must use https/],
    ['another scheme', base64('file://beta.bridge.example/claim/ABC'), /^must use https/],
    [
      'credentials inside',
      base64('https://u:p@beta.bridge.example/claim/ABC'),
      /^must not contain an address with a user name/,
    ],
    [
      'another host',
      base64('https://evil.test/claim/ABC'),
      /^names a host that is not allowed \(evil\.test\); check USPROVIDER_ALLOWED_HOSTS$/,
    ],
    [
      'a host that only looks allowed',
      base64('https://evilbridge.example/claim/ABC'),
      /^names a host that is not allowed/,
    ],
    ['this machine', base64('https://127.0.0.1/claim/ABC'), /^names a host that is not allowed/],
  ])('that is %s is refused with its own sentence', (_, token, sentence) => {
    const refused = () => claimUrlOf(new Secret(token), RULES);
    expect(refused).toThrow(ProviderInputError);
    expect(refused).toThrow(sentence);
    expect(refused).not.toThrow(/ABC/);
  });

  it('that leads to a private address is refused although every host is allowed', () => {
    const rules = { allowedHosts: ['*'], allowPrivateNetwork: false };
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '0x7f000001', '[::ffff:10.0.0.1]']) {
      const token = new Secret(base64(`https://${host}/claim/ABC`));
      expect(() => claimUrlOf(token, rules)).toThrow(/^names an address that is not on the public internet/);
    }
  });
});

describe('the answer to a claim', () => {
  it('is an access URL, often with a line break', () => {
    const accessUrl = 'https://USER:PASS@beta.bridge.example/simplefin';
    expect(accessUrlOf(`${accessUrl}\n`, RULES).reveal()).toBe(accessUrl);
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html><body>Welcome</body></html>'],
    ['a word', 'Forbidden'],
    ['two lines', 'https://u:p@beta.bridge.example/x\nhttps://u:p@beta.bridge.example/y'],
    ['an address without credentials', 'https://beta.bridge.example/simplefin'],
    ['an address without password', 'https://user@beta.bridge.example/simplefin'],
    ['an unencrypted address', 'http://user:hunter2@beta.bridge.example/simplefin'],
    ['an address of another host', 'https://user:hunter2@evil.test/simplefin'],
    ['an endless address', `https://user:hunter2@beta.bridge.example/${'x'.repeat(4_096)}`],
  ])('that is %s is no access URL, and nothing of it is repeated', (_, body) => {
    const refused = () => accessUrlOf(body, RULES);
    expect(refused).toThrow(expect.objectContaining({ kind: 'unexpected_reply' }));
    expect(refused).toThrow(/Nothing was stored.*create a new one/);
    expect(refused).not.toThrow(/hunter2|Welcome/);
  });
});

describe('an access URL', () => {
  const header = (userAndPassword: string) => `Basic ${base64(userAndPassword)}`;

  it.each([
    ['https://demo:demo@beta.bridge.example/simplefin', 'https://beta.bridge.example/simplefin', 'demo:demo'],
    ['https://a%40b:p%2Fq%3Ar%40s%25@beta.bridge.example/x', 'https://beta.bridge.example/x', 'a@b:p/q:r@s%'],
    ['https://u:100%"é%ff@beta.bridge.example/x', 'https://beta.bridge.example/x', 'u:100%"é%ff'],
    ['https://u:100%zz@beta.bridge.example/x', 'https://beta.bridge.example/x', 'u:100%zz'],
    ['https://u:p@beta.bridge.example:8443/root//?a=b#c', 'https://beta.bridge.example:8443/root', 'u:p'],
    ['https://u:p@beta.bridge.example', 'https://beta.bridge.example', 'u:p'],
  ])('%s is taken apart', (url, root, userAndPassword) => {
    const access = accessOf(new Secret(url), RULES);
    expect(access.root).toBe(root);
    expect(access.authorization.reveal()).toBe(header(userAndPassword));
    expect(JSON.stringify(access)).not.toContain(base64(userAndPassword));
  });

  it('that breaks the rules of today is not used', () => {
    const stored = new Secret('https://u:hunter2@elsewhere.test/x');
    expect(() => accessOf(stored, RULES)).toThrow(ProviderError);
    expect(() => accessOf(stored, RULES)).toThrow(
      /host that is not allowed \(elsewhere\.test\); check USPROVIDER_ALLOWED_HOSTS/,
    );
  });
});
