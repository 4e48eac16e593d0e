import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** A /64 network, usually of one customer, is four of the eight groups of an IPv6 address. */
const NETWORK_GROUPS = 4;

/**
 * The client's network, as trusted proxies report it: an IPv4 address, or the /64 network of an IPv6 address, since its
 * owner can use any address in it.
 */
export function clientNetworkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const groups = (address as ipaddr.IPv6).parts.slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The client's address, as trusted proxies report it; IPv4 in its own form. `null`: unknown. */
export function clientAddressOf({ ip = '' }: Pick<Request, 'ip'>): string | null {
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : null;
}
