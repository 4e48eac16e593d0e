import { isIPv4 } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { canonicalHost, matchesHost } from '../platform/config/host-patterns.js';
import { ApiError } from './errors/api-error.js';
import { publicHost } from './public-address.js';

interface HostSettings {
  /** The address or name that the service listens on. */
  host: string;
  /** As `hostPatterns` reads them. */
  allowedHosts: readonly string[];
}

const WILDCARD_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** A host of RFC 3986 as browsers send it, and a port. */
const HOST = /^(\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)\.?(?::\d{0,5})?$/i;

/** Load balancers send their checks to an address, some without `Host`. The answers are the same for everybody. */
const HEALTH = /^\/health\/(?:live|ready)\/?$/i;

/**
 * Refuses requests for a host that is not this service (421). Otherwise a web page could resolve a name of its own to
 * this machine (DNS rebinding) and read what only local callers may read. A request that does not name one host is
 * malformed (400, RFC 9112, 3.2).
 */
export function allowedHosts(settings: HostSettings): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    if (HEALTH.test(request.path)) return next();
    // Behind a trusted proxy both are checked: a client that bypasses the proxy can forge the forwarded one.
    const hosts = new Set([request.headers.host, publicHost(request)]);
    for (const host of hosts) {
      const name = hasOneHost(request) ? nameOf(host) : null;
      if (name === null) throw new ApiError('bad_request', 'The request must name one host.');
      if (!isAllowed(name, request, settings)) throw misdirected(name);
    }
    next();
  };
}

/** Whether a host names this machine and nothing else. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = nameOf(host) ?? '';
  return /^(?:.+\.)?localhost$/.test(name) || (isIPv4(name) && name.startsWith('127.')) || name === '[::1]';
}

function isAllowed(name: string, { socket }: Request, { host, allowedHosts }: HostSettings): boolean {
  if (isLoopbackHost(name) || name === canonicalHost(host)) return true;
  if (WILDCARD_ADDRESSES.has(host) && name === canonicalHost(socket.localAddress ?? '')) return true;
  return allowedHosts.some((pattern) => matchesHost(pattern, name));
}

/** Host without port, in its canonical spelling. `null` where it is missing or malformed. */
function nameOf(host: string | undefined): string | null {
  const name = HOST.exec(host ?? '')?.[1];
  return name === undefined ? null : canonicalHost(name);
}

/** Node uses the first of several `Host` headers; a proxy may have checked another. */
function hasOneHost({ rawHeaders }: Request): boolean {
  let lines = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.toLowerCase() === 'host') lines++;
  return lines === 1;
}

function misdirected(name: string): ApiError {
  return new ApiError(
    'misdirected_request',
    `This service does not answer for the host ${name}. If the name is right, add it to ALLOWED_HOSTS.`,
  );
}
