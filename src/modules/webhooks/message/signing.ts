import { createHmac, hash, randomBytes } from 'node:crypto';
import { Secret } from '../../../kit.js';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const ID_CHARS = 32;

export function newSigningSecret(): Secret {
  return new Secret(SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64'));
}

/** The `webhook-id` of a message: always the same for the same parts. */
export function messageIdOf(...parts: readonly (string | number)[]): string {
  return `msg_${hash('sha256', parts.join(' '), 'hex').slice(0, ID_CHARS)}`;
}

export interface Signed {
  messageId: string;
  /** The bytes that are sent. */
  body: string;
  /** When this attempt is made. */
  at: Date;
  /** Newest first. All of them sign, so that a receiver can change to the new one at any time. */
  secrets: readonly Secret[];
}

/** The headers of an attempt after Standard Webhooks 1.0. */
export function signatureHeaders({ messageId, body, at, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
