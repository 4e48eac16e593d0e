import { jest } from '@jest/globals';
import dns, { type LookupAddress } from 'node:dns';
import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { UntrustedNameResolver } from './untrusted-name-resolver.js';

/** What a name server says to a name; `silence` of a family: it never answers. */
type Zone = Record<string, readonly string[]>;
const FAMILIES: Record<number, 'ipv4' | 'ipv6'> = { 1: 'ipv4', 28: 'ipv6' };

describe('UntrustedNameResolver', () => {
  const zone: Zone = {
    'hooks.example': ['8.8.8.8', '2606:4700::1'],
    'old.example': ['8.8.4.4'],
    'empty.example': [],
    'half.example': ['8.8.4.4', 'silence'],
    'silent.example': ['silence'],
    'pinned.example': ['8.8.8.8'],
  };
  let server: Socket;
  let folder: string;
  let deadline: AbortController;
  let names: UntrustedNameResolver;
  /** Called when a query with an answer was answered. */
  let onAnswered: (query: Buffer) => void;

  beforeAll(async () => {
    server = createSocket('udp4').on('message', (query, { address, port }) => {
      const answer = answerTo(query, zone);
      if (answer) server.send(answer, port, address, () => onAnswered(query));
      else if (query.includes('silent')) deadline.abort();
    });
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    folder = mkdtempSync(join(tmpdir(), 'tidemark-hosts-'));
    writeFileSync(
      join(folder, 'hosts'),
      '# by hand\n192.168.1.9 nas Pinned.Example # home\nfd00::9 pinned.example\nnot-an-address pinned.example\n',
    );
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    deadline = new AbortController();
    onAnswered = () => undefined;
    const servers = [`127.0.0.1:${server.address().port}`];
    names = new UntrustedNameResolver({ servers, hostsFile: join(folder, 'hosts'), deadline: () => deadline.signal });
  });
  afterEach(() => jest.restoreAllMocks());

  const found = (host: string, all = true) =>
    new Promise<unknown>((resolve, reject) =>
      names.lookup(host, { all }, (error, address) => (error ? reject(error) : resolve(address))),
    );

  it('a public name is resolved by the name servers to all its addresses, without the system’s lookup', async () => {
    const system = jest.spyOn(dns, 'lookup');
    expect(await found('hooks.example')).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    expect(await found('old.example', false)).toBe('8.8.4.4');
    expect(system).not.toHaveBeenCalled();
  });

  it('an unknown name fails with ENOTFOUND, and one whose name servers do not answer with EAI_AGAIN', async () => {
    await expect(found('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(found('empty.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(found('silent.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  it('a name resolves to the addresses received by the deadline', async () => {
    const answered = new Promise<void>((resolve) => {
      onAnswered = (query) => query.includes('half') && resolve();
    });
    const half = found('half.example');
    await answered;
    // What was sent before this has been read when this is found.
    await found('hooks.example');
    deadline.abort();
    expect(await half).toEqual([{ address: '8.8.4.4', family: 4 }]);
  });

  it('a lookup that begins after its deadline fails with EAI_AGAIN', async () => {
    deadline.abort();
    await expect(found('silent.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  it('the hosts file takes precedence over the name servers', async () => {
    const pinned = [
      { address: '192.168.1.9', family: 4 },
      { address: 'fd00::9', family: 6 },
    ];
    expect([await found('pinned.example'), await found('pinned.example.')]).toEqual([pinned, pinned]);
    expect(await found('NAS', false)).toBe('192.168.1.9');
  });

  it('names of the local network are resolved by the system, one at a time', async () => {
    const asked: { host: string; answer: (found: LookupAddress[]) => void }[] = [];
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((host: string, _: object, done: (error: null, found: LookupAddress[]) => void) =>
        asked.push({ host, answer: (addresses) => done(null, addresses) })) as unknown as typeof dns.lookup);
    const given = found('gone.local');
    while (asked.length === 0) await new Promise(setImmediate);
    const next = found('homeassistant');
    await found('hooks.example');
    deadline.abort();
    for (const one of [given, next]) await expect(one).rejects.toMatchObject({ code: 'EAI_AGAIN' });

    deadline = new AbortController();
    const waiting = found('printer.local');
    await found('hooks.example');
    expect(asked.map(({ host }) => host)).toEqual(['gone.local']);
    asked[0]!.answer([]);
    while (asked.length === 1) await new Promise(setImmediate);
    asked[1]!.answer([{ address: '192.168.1.7', family: 4 }]);
    expect(await waiting).toEqual([{ address: '192.168.1.7', family: 4 }]);
    expect(asked.map(({ host }) => host)).toEqual(['gone.local', 'printer.local']);
  });
});

/** An answer of a name server (RFC 1035) to a query with one question; `null`: silence. */
function answerTo(query: Buffer, zone: Zone): Buffer | null {
  const labels: string[] = [];
  let end = 12;
  for (let length = query[end]!; length > 0; length = query[end]!) {
    labels.push(query.toString('latin1', end + 1, (end += 1 + length)));
  }
  const type = query.readUInt16BE(end + 1);
  const known = zone[labels.join('.').toLowerCase()];
  if (known?.at(-1) === 'silence' && (known.length === 1 || type === 28)) return null;
  const addresses = (known ?? [])
    .filter((text) => ipaddr.isValid(text))
    .map((text) => ipaddr.parse(text))
    .filter((address) => address.kind() === FAMILIES[type]);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const bytes = address.toByteArray();
    // The question's name, the type, class IN, to be forgotten at once.
    return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
  });
  return Buffer.concat([header, query.subarray(12, end + 5), ...records]);
}
