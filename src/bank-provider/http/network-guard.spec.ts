import type { LookupFunction } from 'node:net';
import { isAllowedHost, isPublicAddress, publicLookup, refusalOf } from './network-guard.js';

const STRICT = { allowedHosts: ['*.bridge.example'], allowPrivateNetwork: false };
const ANY = { allowedHosts: ['*'], allowPrivateNetwork: false };

describe('the list of allowed hosts', () => {
  it.each([
    ['*.bridge.example', 'beta.bridge.example', true],
    ['*.bridge.example', 'a.b.bridge.example', true],
    ['*.bridge.example', 'BETA.Bridge.Example.', true],
    ['*.bridge.example', 'bridge.example', false],
    ['*.bridge.example', 'evilbridge.example', false],
    ['*.bridge.example', 'bridge.example.evil.test', false],
    ['bridge.example', 'bridge.example', true],
    ['bridge.example', 'beta.bridge.example', false],
    ['*', 'anything.test', true],
    ['[fd00::5]', '[fd00:0::5]', true],
    ['10.0.0.5', '[::ffff:a00:5]', true],
    ['[::ffff:a00:5]', '10.0.0.5', true],
    ['API.Bank.example', 'api.bank.example', true],
    ['*.Bank.example', 'api.bank.example', true],
    ['bank.example.', 'bank.example', true],
  ])('%s on %s: %s', (pattern, host, allowed) => {
    expect(isAllowedHost(host, { allowedHosts: [pattern], allowPrivateNetwork: false })).toBe(allowed);
  });

  it('allows nothing when it is empty', () => {
    expect(isAllowedHost('bridge.example', { allowedHosts: [], allowPrivateNetwork: true })).toBe(false);
  });
});

describe('an address of the public internet', () => {
  it.each([
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.255.255',
    '2606:4700::1',
    '[2606:4700::1]',
    '::ffff:8.8.8.8',
  ])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['loopback in brackets', '[::1]'],
    ['unspecified', '0.0.0.0'],
    ['unspecified', '::'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['link-local, where clouds keep their secrets', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '2001:db8::1'],
    ['benchmarking', '198.18.0.1'],
    ['unique local', 'fd00::1'],
    ['site-local', 'fec0::1'],
    ['IPv4 mapped into IPv6', '::ffff:127.0.0.1'],
    ['IPv4 mapped into IPv6, in hex', '::ffff:a00:1'],
    ['IPv4-compatible', '::7f00:1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['not handed out', '4000::1'],
    ['no address', 'bridge.example'],
  ])('%s is none: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('the refusal of an address', () => {
  it.each([
    ['http://beta.bridge.example/x', /must use https/],
    ['ftp://beta.bridge.example/x', /must use https/],
    ['https://elsewhere.test/x', /host that is not allowed \(elsewhere\.test\)/],
    ['https://127.0.0.1/x', /host that is not allowed/],
  ])('names the reason for %s', (url, reason) => {
    expect(refusalOf(new URL(url), STRICT)).toMatch(reason);
  });

  it.each([
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://0177.0.0.1/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://169.254.169.254/latest/meta-data',
  ])('meets %s even where every public host is allowed', (url) => {
    expect(refusalOf(new URL(url), ANY)).toMatch(/not on the public internet/);
  });

  it('does not meet an allowed host or a public address', () => {
    expect(refusalOf(new URL('https://beta.bridge.example:8443/x'), STRICT)).toBeNull();
    expect(refusalOf(new URL('https://8.8.8.8/x'), ANY)).toBeNull();
  });

  it('keeps the host list but lifts the rest for tests and sandbox', () => {
    const rules = { allowedHosts: ['127.0.0.1'], allowPrivateNetwork: true };
    expect(refusalOf(new URL('http://127.0.0.1:3000/x'), rules)).toBeNull();
    expect(refusalOf(new URL('http://10.0.0.1/x'), rules)).toMatch(/not allowed/);
    expect(refusalOf(new URL('file:///etc/passwd'), rules)).toMatch(/must use https/);
  });
});

describe('the look-up of a name', () => {
  /** A resolver that gives each answer in turn. */
  function resolving(...answers: (string[] | Error)[]): LookupFunction {
    let turn = 0;
    const resolver = (_host: string, _options: object, callback: (error: Error | null, found: object[]) => void) => {
      const answer = answers[turn++]!;
      if (answer instanceof Error) return callback(answer, []);
      callback(
        null,
        answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    return publicLookup(resolver as unknown as LookupFunction);
  }

  function found(look: LookupFunction, all = true): Promise<unknown> {
    return new Promise((resolve, reject) =>
      look('bridge.example', { all }, (error, address) => (error ? reject(error) : resolve(address))),
    );
  }

  it('gives public addresses on, one or all', async () => {
    const look = resolving(['8.8.8.8', '2606:4700::1'], ['8.8.8.8', '2606:4700::1']);
    expect(await found(look)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    expect(await found(look, false)).toBe('8.8.8.8');
  });

  it('refuses a name with a single private address among public ones', async () => {
    await expect(found(resolving(['8.8.8.8', '10.0.0.1']))).rejects.toMatchObject({ code: 'EPRIVATE' });
  });

  it('refuses a name that was public before and is private now', async () => {
    const look = resolving(['8.8.8.8'], ['127.0.0.1']);
    await found(look);
    await expect(found(look)).rejects.toMatchObject({ code: 'EPRIVATE' });
  });

  it('refuses a name without addresses, and passes the resolver’s own error on', async () => {
    await expect(found(resolving([]))).rejects.toMatchObject({ code: 'EPRIVATE' });
    const notFound = Object.assign(new Error(), { code: 'ENOTFOUND' });
    await expect(found(resolving(notFound))).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
