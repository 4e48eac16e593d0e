import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which hosts a provider's address may name, and whether they may be on this machine or a private network. */
export interface NetworkRules {
  /** Patterns: `bridge.example`, `*.example` (any name below it), or `*` for any public host. */
  allowedHosts: readonly string[];
  /** Lifts the rules on addresses and on `https`: tests and sandbox only. */
  allowPrivateNetwork: boolean;
}

/** What every global IPv6 address begins with; the rest is special or not handed out. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

export class PrivateAddressError extends Error {
  readonly code = 'EPRIVATE';

  constructor(host: string) {
    super(`${host} is not on the public internet`);
  }
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
  const bare = withoutBrackets(address);
  if (!ipaddr.isValid(bare)) return false;
  // `process` unwraps an IPv4 address that is mapped into IPv6.
  const ip = ipaddr.process(bare);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6));
}

/** Why an address may not be dialled, as words to put after its name; `null` when it may. */
export function refusalOf(url: URL, rules: NetworkRules): string | null {
  const secure = url.protocol === 'https:' || (rules.allowPrivateNetwork && url.protocol === 'http:');
  if (!secure) return 'must use https';
  if (!isAllowedHost(url.hostname, rules)) return `names a host that is not allowed (${url.hostname})`;
  // A literal address never reaches the look-up below. URL has brought every spelling of one into the usual form.
  const isLiteral = isIP(withoutBrackets(url.hostname)) !== 0;
  if (isLiteral && !rules.allowPrivateNetwork && !isPublicAddress(url.hostname)) {
    return `names an address that is not on the public internet (${url.hostname})`;
  }
  return null;
}

/** Agents whose connections keep to the rules. */
export function agents({ allowPrivateNetwork }: NetworkRules): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = allowPrivateNetwork ? {} : { lookup: publicLookup() };
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
}

/**
 * A name look-up that refuses names with any address outside the public internet. It is the look-up the connection
 * itself uses, so that a name cannot change between the check and the connect.
 */
export function publicLookup(resolve: typeof systemLookup = systemLookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
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
