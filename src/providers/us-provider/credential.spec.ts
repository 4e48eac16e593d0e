import { ProviderError, ProviderInputError } from '../provider-error.js';
import { Secret } from '../../platform/config/secret.js';
import { accessOf, accessUrlOf, claimUrlOf } from './client.js';

const RULES = { allowedHosts: ['*.bridge.example'], allowPrivateNetwork: false };
const CLAIM = 'https://beta.bridge.example/simplefin/claim/ABC?123~';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('claimUrlOf', () => {
  it.each([
    ['in plain base64', base64(CLAIM)],
    ['wrapped over lines with blanks around it', `  ${base64(CLAIM).replace(/.{20}/g, '$&\r\n')}\t`],
    ['without base64 padding', base64(CLAIM).replace(/=+$/, '')],
    ['in base64url', Buffer.from(CLAIM).toString('base64url')],
    ['with a line break after the URL', base64(`${CLAIM}\n`)],
  ])('a setup token %s is decoded to its claim URL', (_, token) => {
    expect(claimUrlOf(new Secret(token), RULES).href).toBe(CLAIM);
  });

  it.each([
    ['empty', '', /^is not base64 text/],
    ['a sentence', 'my token, please!', /^is not base64 text/],
    ['the claim URL itself', CLAIM, /^is not base64 text/],
    ['base64 of other text', base64('hello there'), /^contains no address/],
    ['base64 of a path', base64('/simplefin/claim/ABC'), /^contains no address/],
    ['base64 of binary data', Buffer.from([0xff, 0xfe, 0x00]).toString('base64'), /^contains no address/],
    ['a URL without a host', base64('https://'), /^contains no address/],
    [
      'an http URL',
      base64('http://beta.bridge.example/claim/ABC'),
      /^must use https; check PROVIDER_ALLOW_PRIVATE_NETWORK$/,
    ],
    ['a URL with another scheme', base64('file://beta.bridge.example/claim/ABC'), /^must use https/],
    [
      'a URL with credentials',
      base64('https://u:p@beta.bridge.example/claim/ABC'),
      /^must not contain an address with a user name/,
    ],
    [
      'a URL of another host',
      base64('https://evil.test/claim/ABC'),
      /^names a host that is not allowed \(evil\.test\); check USPROVIDER_ALLOWED_HOSTS$/,
    ],
    [
      'a URL of a host that only ends like an allowed one',
      base64('https://evilbridge.example/claim/ABC'),
      /^names a host that is not allowed/,
    ],
    ['a URL of the loopback address', base64('https://127.0.0.1/claim/ABC'), /^names a host that is not allowed/],
  ])('a setup token that is %s is rejected with a message of its own', (_, token, sentence) => {
    const refused = () => claimUrlOf(new Secret(token), RULES);
    expect(refused).toThrow(ProviderInputError);
    expect(refused).toThrow(sentence);
    expect(refused).not.toThrow(/ABC/);
  });

  it('a setup token for a private address is rejected even if every host is allowed', () => {
    const rules = { allowedHosts: ['*'], allowPrivateNetwork: false };
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '0x7f000001', '[::ffff:10.0.0.1]']) {
      const token = new Secret(base64(`https://${host}/claim/ABC`));
      expect(() => claimUrlOf(token, rules)).toThrow(/^names an address that is not on the public internet/);
    }
  });
});

describe('accessUrlOf', () => {
  it('an access URL followed by a line break is accepted as the response to a claim', () => {
    const accessUrl = 'https://USER:PASS@beta.bridge.example/simplefin';
    expect(accessUrlOf(`${accessUrl}\n`, RULES).reveal()).toBe(accessUrl);
  });

  it.each([
    ['empty', ''],
    ['an HTML page', '<html><body>Welcome</body></html>'],
    ['a word', 'Forbidden'],
    ['two URLs on two lines', 'https://u:p@beta.bridge.example/x\nhttps://u:p@beta.bridge.example/y'],
    ['a URL without credentials', 'https://beta.bridge.example/simplefin'],
    ['a URL without a password', 'https://user@beta.bridge.example/simplefin'],
    ['an http URL', 'http://user:hunter2@beta.bridge.example/simplefin'],
    ['a URL of another host', 'https://user:hunter2@evil.test/simplefin'],
    ['a URL of over 4,096 characters', `https://user:hunter2@beta.bridge.example/${'x'.repeat(4_096)}`],
  ])('a response to a claim that is %s is rejected without repeating its content', (_, body) => {
    const refused = () => accessUrlOf(body, RULES);
    expect(refused).toThrow(expect.objectContaining({ kind: 'unexpected_reply' }));
    expect(refused).toThrow(/Nothing was stored.*create a new one/);
    expect(refused).not.toThrow(/hunter2|Welcome/);
  });
});

describe('accessOf', () => {
  const header = (userAndPassword: string) => `Basic ${base64(userAndPassword)}`;

  it.each([
    ['https://demo:demo@beta.bridge.example/simplefin', 'https://beta.bridge.example/simplefin', 'demo:demo'],
    ['https://a%40b:p%2Fq%3Ar%40s%25@beta.bridge.example/x', 'https://beta.bridge.example/x', 'a@b:p/q:r@s%'],
    ['https://u:100%"é%ff@beta.bridge.example/x', 'https://beta.bridge.example/x', 'u:100%"é%ff'],
    ['https://u:100%zz@beta.bridge.example/x', 'https://beta.bridge.example/x', 'u:100%zz'],
    ['https://u:p@beta.bridge.example:8443/root//?a=b#c', 'https://beta.bridge.example:8443/root', 'u:p'],
    ['https://u:p@beta.bridge.example', 'https://beta.bridge.example', 'u:p'],
  ])('the access URL %s is split into its root URL and decoded credentials', (url, root, userAndPassword) => {
    const access = accessOf(new Secret(url), RULES);
    expect(access.root).toBe(root);
    expect(access.authorization.reveal()).toBe(header(userAndPassword));
    expect(JSON.stringify(access)).not.toContain(base64(userAndPassword));
  });

  it('a stored access URL whose host is no longer allowed is not used', () => {
    const stored = new Secret('https://u:hunter2@elsewhere.test/x');
    expect(() => accessOf(stored, RULES)).toThrow(ProviderError);
    expect(() => accessOf(stored, RULES)).toThrow(
      /host that is not allowed \(elsewhere\.test\); check USPROVIDER_ALLOWED_HOSTS/,
    );
  });

  it('a stored access URL with http is not used, and the error names the setting that allows http', () => {
    const stored = new Secret('http://u:hunter2@beta.bridge.example/x');
    expect(() => accessOf(stored, RULES)).toThrow(/must use https; check PROVIDER_ALLOW_PRIVATE_NETWORK\.$/);
    const elsewhere = new Secret('http://u:hunter2@127.0.0.1/x');
    expect(() => accessOf(elsewhere, RULES)).toThrow(
      /check USPROVIDER_ALLOWED_HOSTS and PROVIDER_ALLOW_PRIVATE_NETWORK/,
    );
  });
});
