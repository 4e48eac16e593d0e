import type { IncomingMessage } from 'node:http';

/** What Express knows of a request, once it has looked at which proxies are trusted. */
interface ExpressRequest {
  protocol?: string;
  host?: string;
}

/** The address the client used; `null` when it sent no usable `Host`. */
export function requestOrigin(request: IncomingMessage & ExpressRequest): string | null {
  const { protocol, host = request.headers.host } = request;
  const address = `${protocol === 'https' ? 'https' : 'http'}://${host ?? ''}`;
  return host && URL.canParse(address) ? new URL(address).origin : null;
}
