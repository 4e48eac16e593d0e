import type { Request, Response } from 'express';
import { allowedHosts } from './allowed-hosts.js';

/** The code that a request for a host is refused with; `null`: it is let through. */
function refusal(host: string, settings: { host?: string; allowedHosts?: string[] }, localAddress = '127.0.0.1') {
  const request = { path: '/', headers: { host }, host, rawHeaders: ['Host', host], socket: { localAddress } };
  const refuse = allowedHosts({ host: '127.0.0.1', allowedHosts: [], ...settings });
  try {
    void refuse(request as unknown as Request, {} as Response, () => undefined);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('allowedHosts with addresses', () => {
  it.each([
    ['[fd00:0::5]:3000', { allowedHosts: ['[fd00::5]'] }],
    ['[FD00::0005]', { allowedHosts: ['[fd00::5]'] }],
    ['[::ffff:10.0.0.5]', { allowedHosts: ['10.0.0.5'] }],
    ['[fd00:0:0:0:0:0:0:5]', { host: 'fd00::5' }],
    ['[::ffff:a00:5]', { host: '::ffff:a00:5' }],
    ['10.0.0.5', { host: '::ffff:a00:5' }],
    ['[fe80::1]', { host: 'fe80::1%br-lan' }],
    ['[0:0:0:0:0:0:0:1]', {}],
    ['[::ffff:127.0.0.1]', {}],
  ])('the host %s is allowed as another spelling of a configured address', (host, settings) =>
    expect(refusal(host, settings)).toBeNull(),
  );

  it.each([
    ['[fd00:0::5]', 'fd00::5'],
    ['[fe80::1]', 'fe80::1%eth0'],
    ['10.0.0.5', '::ffff:10.0.0.5'],
  ])('the host %s is allowed if the service listens on all addresses and was reached at %s', (host, localAddress) =>
    expect(refusal(host, { host: '::' }, localAddress)).toBeNull(),
  );

  it.each([
    ['[fd00::6]', { allowedHosts: ['[fd00::5]'] }],
    ['167772165', { allowedHosts: ['10.0.0.5'] }],
    ['10.5', { allowedHosts: ['10.0.0.5'] }],
  ])('the host %s is refused, because it is another address or a number', (host, settings) =>
    expect(refusal(host, settings)).toBe('misdirected_request'),
  );
});
