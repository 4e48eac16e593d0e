import type { LookupFunction } from 'node:net';
import { isAllowedHost, isPublicAddress, publicLookup, refusalOf } from './network-guard.js';

const STRICT = { allowedHosts: ['*.bridge.example'], allowPrivateNetwork: false };
const ANY = { allowedHosts: ['*'], allowPrivateNetwork: false };

describe('isAllowedHost', () => {
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
  ])('the pattern %s allows the host %s: %s', (pattern, host, allowed) => {
    expect(isAllowedHost(host, { allowedHosts: [pattern], allowPrivateNetwork: false })).toBe(allowed);
  });

  it('an empty list of allowed hosts allows no host', () => {
    expect(isAllowedHost('bridge.example', { allowedHosts: [], allowPrivateNetwork: true })).toBe(false);
  });
});

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.255.255',
    '2606:4700::1',
    '[2606:4700::1]',
    '::ffff:8.8.8.8',
  ])('the address %s is public', (address) => {
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
    ['link-local, like the metadata service of a cloud', '169.254.169.254'],
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
    ['unallocated', '4000::1'],
    ['a host name', 'bridge.example'],
  ])('an address is not public if it is %s: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('refusalOf', () => {
  it.each([
    ['http://beta.bridge.example/x', /must use https/],
    ['ftp://beta.bridge.example/x', /must use https/],
    ['https://elsewhere.test/x', /host that is not allowed \(elsewhere\.test\)/],
    ['https://127.0.0.1/x', /host that is not allowed/],
  ])('the refusal of the URL %s names the reason', (url, reason) => {
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
  ])('the private address in %s is refused even if every public host is allowed', (url) => {
    expect(refusalOf(new URL(url), ANY)).toMatch(/not on the public internet/);
  });

  it('the URL of an allowed host or a public address is not refused', () => {
    expect(refusalOf(new URL('https://beta.bridge.example:8443/x'), STRICT)).toBeNull();
    expect(refusalOf(new URL('https://8.8.8.8/x'), ANY)).toBeNull();
  });

  it('allowPrivateNetwork permits http and private addresses, but only of allowed hosts', () => {
    const rules = { allowedHosts: ['127.0.0.1'], allowPrivateNetwork: true };
    expect(refusalOf(new URL('http://127.0.0.1:3000/x'), rules)).toBeNull();
    expect(refusalOf(new URL('http://10.0.0.1/x'), rules)).toMatch(/not allowed/);
    expect(refusalOf(new URL('file:///etc/passwd'), rules)).toMatch(/must use https/);
  });
});

describe('publicLookup', () => {
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

  it('a lookup of a public name returns one address or all of them', async () => {
    const look = resolving(['8.8.8.8', '2606:4700::1'], ['8.8.8.8', '2606:4700::1']);
    expect(await found(look)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    expect(await found(look, false)).toBe('8.8.8.8');
  });

  it('a lookup fails with EPRIVATE if a single address of the name is private', async () => {
    await expect(found(resolving(['8.8.8.8', '10.0.0.1']))).rejects.toMatchObject({ code: 'EPRIVATE' });
  });

  it('a lookup fails with EPRIVATE if a name that was public is private now', async () => {
    const look = resolving(['8.8.8.8'], ['127.0.0.1']);
    await found(look);
    await expect(found(look)).rejects.toMatchObject({ code: 'EPRIVATE' });
  });

  it('a lookup without addresses fails with EPRIVATE, and an error of the resolver is passed on', async () => {
    await expect(found(resolving([]))).rejects.toMatchObject({ code: 'EPRIVATE' });
    const notFound = Object.assign(new Error(), { code: 'ENOTFOUND' });
    await expect(found(resolving(notFound))).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
