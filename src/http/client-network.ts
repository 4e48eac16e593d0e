import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** How many of the eight groups of an IPv6 address name the network: a /64 is one customer's. */
const NETWORK_GROUPS = 4;

/**
 * Where a request comes from, as trusted proxies say it: an IPv4 address, or the /64 network of an IPv6 address, whose
 * owner can take any address in it.
 */
export function clientNetworkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const groups = (address as ipaddr.IPv6).parts.slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The address a request comes from, as trusted proxies say it; IPv4 in its own form. `null`: it is not known. */
export function clientAddressOf({ ip = '' }: Pick<Request, 'ip'>): string | null {
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : null;
}
