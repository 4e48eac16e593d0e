import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { list } from './environment-values.js';

const isHostPattern = (text: string) =>
  /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$|^\[[\da-f:.]+\]$/i.test(text) && URL.canParse(`http://${text}`);

/**
 * `name`, or `*.name` for every name below it; without a port. They become what a URL makes of them, as names of other alphabets are sent.
 *
 * @param words what else may be in the list
 */
export const hostPatterns = (...words: string[]) =>
  list
    .refine(
      (patterns) => patterns.every((pattern) => words.includes(pattern) || isHostPattern(pattern)),
      'must be a list of host names without scheme and port; *.example.org stands for all names below example.org',
    )
    .transform((patterns) => patterns.map((pattern) => new URL(`http://${pattern}`).hostname));

/** @param pattern `name`, or `*.name` for every name below it */
export function matchesHost(pattern: string, host: string): boolean {
  const name = canonicalHost(host);
  const wanted = canonicalHost(pattern);
  return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
}

/**
 * The one spelling in which hosts are compared: lower case without a final dot; an address in its shortest form, IPv6 in
 * brackets, IPv4 in its own form. The zone of an address is left out, since other machines do not know it.
 */
export function canonicalHost(host: string): string {
  const address = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(address) === 0) return host.toLowerCase().replace(/\.$/, '');
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : `[${parsed.toString()}]`;
}
