import dns, { type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { unlessAborted } from '../../time/abort-scope.js';

/** The timeout for name servers. It is below the timeout for connecting, which begins afterwards. */
const TIMEOUT_MS = 3_000;

/** Names that no name server of the internet is asked for. */
const LOCAL_NAME = /^[^.]+$|\.(local|localhost)$/;

interface UntrustedNameResolverOptions {
  hostsFile?: string;
  /** Addresses of name servers. Default: those of this machine. */
  servers?: readonly string[];
  deadline?: () => AbortSignal;
}

/**
 * Looks up names that anybody may choose. The system's own look-up takes one of two threads that all look-ups of the
 * process share until the name servers have answered, and those of a stranger may never answer. So the hosts file is
 * read and name servers are asked without threads, and only names of the local network are the system's to find (mDNS,
 * search domains), one at a time.
 */
export class UntrustedNameResolver {
  readonly #options: Required<Omit<UntrustedNameResolverOptions, 'servers'>> & UntrustedNameResolverOptions;
  /** Settles when the system has answered, also if nobody waits for that any more. */
  #systemIsFree: Promise<unknown> = Promise.resolve();

  constructor(options: UntrustedNameResolverOptions = {}) {
    this.#options = { hostsFile: '/etc/hosts', deadline: () => AbortSignal.timeout(TIMEOUT_MS), ...options };
  }

  readonly lookup: LookupFunction = (host, { all }, callback) => {
    this.#find(host).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error: Error) => callback(error, '', 0),
    );
  };

  /** @throws an error with the code that the system's look-up has: `ENOTFOUND`, `EAI_AGAIN` */
  async #find(host: string): Promise<LookupAddress[]> {
    const name = host.toLowerCase().replace(/\.$/, '');
    const listed = await listedIn(this.#options.hostsFile, name);
    if (listed.length > 0) return listed;
    return LOCAL_NAME.test(name) ? this.#askSystem(host) : this.#askNameServers(host);
  }

  async #askNameServers(host: string): Promise<LookupAddress[]> {
    // A new one knows the name servers of the network that the machine is in now.
    const resolver = new Resolver();
    if (this.#options.servers) resolver.setServers(this.#options.servers);
    const answers = Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const deadline = this.#options.deadline();
    if (deadline.aborted) resolver.cancel();
    else deadline.addEventListener('abort', () => resolver.cancel(), { once: true });
    const [v4, v6] = await answers;
    const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    if (found.length > 0) return found;
    throw failureOf(isUnknown(v4) && isUnknown(v6) ? 'ENOTFOUND' : 'EAI_AGAIN', host);
  }

  async #askSystem(host: string): Promise<LookupAddress[]> {
    const deadline = this.#options.deadline();
    const found = this.#systemIsFree.then(() => {
      deadline.throwIfAborted();
      return systemLookup(host);
    });
    this.#systemIsFree = found.catch(() => undefined);
    return unlessAborted(deadline, found).catch((error: unknown) => {
      throw deadline.aborted ? failureOf('EAI_AGAIN', host) : error;
    });
  }
}

async function listedIn(hostsFile: string, name: string): Promise<LookupAddress[]> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isListed = isIP(address) !== 0 && names.some((other) => other.toLowerCase() === name);
    return isListed ? [{ address, family: isIP(address) }] : [];
  });
}

function systemLookup(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) =>
    dns.lookup(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
  );
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

/** Whether the name servers say that there is no such name, or none with an address of this family. */
function isUnknown(answer: PromiseSettledResult<string[]>): boolean {
  if (answer.status === 'fulfilled') return true;
  return ['ENOTFOUND', 'ENODATA'].includes((answer.reason as NodeJS.ErrnoException).code ?? '');
}

function failureOf(code: string, host: string): Error {
  return Object.assign(new Error(`${code} ${host}`), { code });
}
