import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which hosts a provider's address may name, and whether they may be on this machine or a private network. */
export interface NetworkRules {
  /** Patterns: `bridge.example`, `*.example`, or `*` for any public host. */
  allowedHosts: readonly string[];
  /** Lifts the rules on addresses and on `https`: tests and sandbox only. */
  allowPrivateNetwork: boolean;
}

export function isAllowedHost(host: string, { allowedHosts }: NetworkRules): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return allowedHosts.some((pattern) => {
    const wanted = pattern.toLowerCase();
    if (wanted === '*') return true;
    return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
  });
}

/** Whether an IP address, of either family or one inside the other, belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(bare)) return false;
  // `process` unwraps an IPv4 address that is mapped into IPv6.
  return ipaddr.process(bare).range() === 'unicast';
}

export class PrivateAddressError extends Error {
  readonly code = 'EPRIVATE';

  constructor(host: string) {
    super(`${host} is not on the public internet`);
  }
}

/**
 * A name look-up that refuses names with any address outside the public internet. It is the look-up the connection
 * itself uses, so that a name cannot change between the check and the connect.
 */
export const publicLookup: LookupFunction = (host, options, callback) => {
  systemLookup(host, { ...options, all: true }, (error, found) => {
    const addresses: LookupAddress[] = error ? [] : found;
    const [first] = addresses;
    if (error || !first) return callback(error ?? new PrivateAddressError(host), '', 0);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new PrivateAddressError(host), '', 0);
    }
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

/** Agents that keep to the rules. A literal address never reaches a look-up, so it has a check of its own. */
export function agents({ allowPrivateNetwork }: NetworkRules): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = allowPrivateNetwork ? {} : { lookup: publicLookup };
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
}

/** Why an address may not be dialled, as words to put after its name; `null` when it may. */
export function refusalOf(url: URL, rules: NetworkRules): string | null {
  const secure = url.protocol === 'https:' || (rules.allowPrivateNetwork && url.protocol === 'http:');
  if (!secure) return 'must use https';
  if (!isAllowedHost(url.hostname, rules)) return `names a host that is not allowed (${url.hostname})`;
  const literal = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (literal && !rules.allowPrivateNetwork && !isPublicAddress(url.hostname)) {
    return `names an address that is not on the public internet (${url.hostname})`;
  }
  return null;
}
