import type { IncomingMessage } from 'node:http';

/** The address the client used, which a proxy may have changed; `null` when it sent no usable `Host`. */
export function originOf({ headers, socket }: IncomingMessage): string | null {
  const forwarded = headers['x-forwarded-proto']?.toString();
  const secure = forwarded === undefined ? 'encrypted' in socket : forwarded.startsWith('https');
  const address = `${secure ? 'https' : 'http'}://${headers.host ?? ''}`;
  return headers.host && URL.canParse(address) ? new URL(address).origin : null;
}
