import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { Secret } from '../config/secret.js';
import { redact } from './redact.js';

/** Frames as Node prints them: of modules, of CommonJS, of a package manager with its own layout, on Windows. */
const FRAMES = [
  'at EntityManager.flush (file:///srv/app/node_modules/@mikro-orm/core/EntityManager.js:1200:19)',
  'at async file:///srv/app/node_modules/@nestjs/core/router/router-proxy.js:9:17',
  'at Object.<anonymous> (/srv/app/node_modules/@nestjs/axios/dist/http.service.js:5:1)',
  'at file:///srv/app/node_modules/.pnpm/@mikro-orm+core@7.2.1/node_modules/@mikro-orm/core/index.js:3:1',
  'at file:///C:/app/node_modules/@mikro-orm/core/index.js:3:1',
  'at run (C:\\app\\node_modules\\@mikro-orm\\core\\index.js:3:1)',
  'at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
];

/** What an address may hold of a user name or password as it stands; everything else is percent-encoded there. */
const USER_INFO_CHARS = [..."abcXYZ019-._~!$&'()*+,;=:%@?#"];
const userInfo = fc
  .string({ unit: fc.constantFrom(...USER_INFO_CHARS), minLength: 6, maxLength: 60 })
  .filter((text) => /^[a-z0-9].*:.+/i.test(text));

/** The ways in which a text gets into another one. */
const inJson = (text: string) => JSON.stringify({ message: text });
const withEscapedSlashes = (text: string) => inJson(text).replaceAll('/', '\\/');
const WAYS: ((text: string) => string)[] = [
  (text) => text,
  inJson,
  withEscapedSlashes,
  (text) => inJson(withEscapedSlashes(text)),
  (text) => withEscapedSlashes(withEscapedSlashes(text)),
  (text) => `Error: ${text} failed\n    ${FRAMES.join('\n    ')}`,
  (text) => inJson(`Error: ${text} failed\n    ${FRAMES.join('\n    ')}`),
];

describe('redact on stack traces', () => {
  it.each(FRAMES)('redacting a stack trace keeps the frame %s', (frame) => {
    expect(redact(`Error: no\n    ${frame}`)).toBe(`Error: no\n    ${frame}`);
    expect(redact(JSON.stringify({ stack: frame }))).toBe(JSON.stringify({ stack: frame }));
  });

  it('redacting a real stack trace changes nothing', () => {
    const { stack = '' } = new Error('no');
    expect(redact(stack)).toBe(stack);
  });

  it('redacting a stack trace removes only the credentials of a URL in its message', () => {
    const stack = (address: string) => `Error: GET ${address} failed\n    ${FRAMES.join('\n    ')}`;
    const [secret, clean] = ['https://user:pa%2Fss@bank.example/simplefin', 'https://[secret]@bank.example/simplefin'];
    expect(redact(stack(secret))).toBe(stack(clean));
  });
});

describe('redact on URLs with credentials', () => {
  it.each(WAYS.map((way) => [way('https://user:pass@bank.example/a').split('\n')[0], way] as const))(
    'the credentials of a URL never survive redaction in %s',
    (_, way) => {
      const property = fc.property(userInfo, (secret) => {
        const text = way(`https://${secret}@bank.example/simplefin/accounts`);
        const clean = way('https://[secret]@bank.example/simplefin/accounts');
        expect(redact(text)).toBe(clean);
      });
      fc.assert(property, { seed: 15, numRuns: 300 });
    },
  );

  it('the credentials of a URL are redacted even if they are very long', () => {
    const secret = `user:${'p4'.repeat(1_900)}`;
    expect(redact(`https://${secret}@bank.example`)).toBe('https://[secret]@bank.example');
  });
});

describe('redact and Secret', () => {
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
    ['secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw= gone', 'secret whsec_[secret] gone'],
    ['key tm_0123456789abcdefghijABCDEFGHIJ0123456789abcdef gone', 'key tm_[secret] gone'],
    [
      'nothing to hide: mail me@bank.example or see https://bank.example/claims',
      'nothing to hide: mail me@bank.example or see https://bank.example/claims',
    ],
  ])('the text %j is redacted to %j', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it('a Secret is hidden however it is printed', () => {
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
