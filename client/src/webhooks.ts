/** A message that is not, or cannot be shown to be, from the service. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface WebhookMessage {
  /** The body as it came, before any parser has seen it. */
  body: string;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** `whsec_…`; several while a secret is being rotated. */
  secrets: string | readonly string[];
  /** How far the sender's clock may be off. Default 300. */
  toleranceSeconds?: number;
  nowMs?: number;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/**
 * Checks a message after Standard Webhooks 1.0 and gives its payload. The signatures are compared in constant time.
 *
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(message: WebhookMessage): Promise<{ id: string; payload: unknown }> {
  const id = header(message, 'webhook-id');
  const timestamp = header(message, 'webhook-timestamp');
  checkTimestamp(timestamp, message);
  const signatures = header(message, 'webhook-signature').split(' ').flatMap(versionOne);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${message.body}`);
  const secrets = typeof message.secrets === 'string' ? [message.secrets] : message.secrets;
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) {
        return { id, payload: JSON.parse(message.body) as unknown };
      }
    }
  }
  throw new WebhookVerificationError('No signature fits any of the secrets.');
}

function header({ headers }: WebhookMessage, name: string): string {
  const given = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof given !== 'string' || given === '') throw new WebhookVerificationError(`The header ${name} is missing.`);
  return given;
}

function checkTimestamp(text: string, { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, nowMs }: WebhookMessage): void {
  if (!/^\d{1,15}$/.test(text)) throw new WebhookVerificationError('webhook-timestamp is no number of seconds.');
  const ageSeconds = (nowMs ?? Date.now()) / 1_000 - Number(text);
  if (Math.abs(ageSeconds) > toleranceSeconds) throw new WebhookVerificationError('The message is too old or too new.');
}

/** Other versions, `v1a` among them, are for other kinds of keys. */
function versionOne(signature: string): Uint8Array<ArrayBuffer>[] {
  const [version, text = ''] = signature.split(',', 2);
  const bytes = version === 'v1' ? decode(text) : null;
  return bytes ? [bytes] : [];
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = decode(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!bytes || bytes.length === 0) throw new WebhookVerificationError('A secret is not whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
