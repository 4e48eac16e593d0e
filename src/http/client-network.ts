import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** What one customer usually has: all networks of a home line. */
const IPV6_PREFIX_BITS = 56;

/** Some proxies report the port, too: a client would have a new address with each connection. */
const WITH_PORT = /^(?:([\d.]+)|\[(.+)\])(?::\d+)?$/;

/**
 * The client's network, as trusted proxies report it: an IPv4 address, or the /56 network of an IPv6 address, since its
 * owner can use any address in it.
 */
export function clientNetworkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  const address = addressIn(ip);
  if (!address) return ip;
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_PREFIX_BITS}`).toString()}/${IPV6_PREFIX_BITS}`;
}

/** The client's address, as trusted proxies report it; IPv4 in its own form. `null`: unknown. */
export function clientAddressOf({ ip = '' }: Pick<Request, 'ip'>): string | null {
  return addressIn(ip)?.toString() ?? null;
}

function addressIn(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  const address = ipv4 ?? ipv6 ?? text;
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}
