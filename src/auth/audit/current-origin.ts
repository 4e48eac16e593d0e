import Bowser from 'bowser';
import { knownCallerOf } from '../../http/caller.js';
import { clientAddressOf } from '../../http/client-network.js';
import { currentRequest } from '../../http/request-context.js';

const MAX_USER_AGENT_CHARS = 500;
const MAX_DEVICE_CHARS = 60;
/** The name and version that a program which is no browser begins with. */
const PRODUCT = /^([\w.-]+)(?:\/([\w.-]+))?/;

/** From where something is done, and by what. */
export interface Origin {
  clientAddress: string | null;
  device: string | null;
  apiKeyId: string | null;
}

/** Of what the service does by itself. */
export const OWN_ORIGIN: Origin = { clientAddress: null, device: null, apiKeyId: null };

/** Of the request under way; without one it is the command line. */
export function currentOrigin(): Origin {
  const request = currentRequest();
  if (!request) return { clientAddress: null, device: 'Command line', apiKeyId: null };
  return {
    clientAddress: clientAddressOf(request),
    device: describeDevice(request.get('user-agent')),
    apiKeyId: knownCallerOf(request)?.apiKeyId ?? null,
  };
}

/** A user agent in a few words, such as "Firefox on Linux" or "curl 8.5.0". `null`: there is nothing to tell it by. */
export function describeDevice(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT_CHARS);
  if (text === '') return null;
  const { browser, os } = Bowser.parse(text);
  const { 1: product, 2: productVersion } = PRODUCT.exec(text) ?? [];
  // A program that is no browser says nothing of its system.
  const [name, version] = browser.name ? [browser.name, browser.version] : [product, productVersion];
  if (!name) return null;
  return (os.name ? `${name} on ${os.name}` : [name, version].filter(Boolean).join(' ')).slice(0, MAX_DEVICE_CHARS);
}
