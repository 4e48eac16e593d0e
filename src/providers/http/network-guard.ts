import dns, { type LookupAddress } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { matchesHost } from '../../platform/config/host-patterns.js';

/** Which hosts providers may be at. */
export interface NetworkRules {
  /** Patterns: `bridge.example`, `*.example` (any name below it), or `*` for any public host. */
  allowedHosts: readonly string[];
  /** Allows private addresses and plain http: for tests and the sandbox only. */
  allowPrivateNetwork: boolean;
}

/** The prefix of all global IPv6 addresses. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

class PrivateAddressError extends Error {
  readonly code = 'EPRIVATE';

  constructor(host: string) {
    super(`${host} is not on the public internet`);
  }
}

export function isAllowedHost(host: string, { allowedHosts }: NetworkRules): boolean {
  return allowedHosts.some((pattern) => pattern === '*' || matchesHost(pattern, host));
}

/** Whether an IPv4 or IPv6 address, or an IPv4 address mapped into IPv6, belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const bare = withoutBrackets(address);
  if (!ipaddr.isValid(bare)) return false;
  // `process` unwraps an IPv4 address that is mapped into IPv6.
  const ip = ipaddr.process(bare);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6));
}

/** Why a URL may not be requested, as words after its name; `null`: it may. */
export function refusalOf(url: URL, rules: NetworkRules): string | null {
  const secure = url.protocol === 'https:' || (rules.allowPrivateNetwork && url.protocol === 'http:');
  if (!secure) return 'must use https';
  if (!isAllowedHost(url.hostname, rules)) return `names a host that is not allowed (${url.hostname})`;
  // A literal address never reaches the lookup below. URL has normalised its spelling.
  const isLiteral = isIP(withoutBrackets(url.hostname)) !== 0;
  if (isLiteral && !rules.allowPrivateNetwork && !isPublicAddress(url.hostname)) {
    return `names an address that is not on the public internet (${url.hostname})`;
  }
  return null;
}

/** HTTP agents that connect only to allowed addresses. */
export function agents({ allowPrivateNetwork }: NetworkRules): {
  httpAgent: HttpAgent;
  httpsAgent: HttpsAgent;
} {
  const options = { lookup: allowPrivateNetwork ? dns.lookup : publicLookup(dns.lookup) };
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
}

/**
 * A DNS lookup that refuses names with any address outside the public internet. The connection itself uses it, so a
 * name cannot change between check and connect (DNS rebinding).
 */
export function publicLookup(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses = found as LookupAddress[];
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new PrivateAddressError(host), '', 0);
      }
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
