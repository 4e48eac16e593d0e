import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppSecrets } from '../config/app-secret.js';
import { Secret } from '../config/secret.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** None of the secrets at hand has sealed a credential. The message is for whoever runs the service. */
export class SealedElsewhereError extends Error {
  override readonly name = 'SealedElsewhereError';

  constructor() {
    super(
      'The credential of this connection was sealed with an APP_SECRET that this instance does not have: ' +
        'give every instance the same list.',
    );
  }
}

interface Keys {
  id: string;
  encryption: Buffer;
  fingerprint: Buffer;
  signature: Buffer;
}

/**
 * Seals provider credentials and other secrets at rest with AES-256-GCM under a key derived from the newest APP_SECRET; opens what any of
 * the listed secrets sealed. A sealed text is bound to the row it belongs to: moved to another row, it does not open.
 */
@Injectable()
export class CredentialVault {
  readonly #keys: [Keys, ...Keys[]];

  constructor(secrets: AppSecrets) {
    const [newest, ...older] = secrets.newestFirst;
    this.#keys = [deriveKeys(newest), ...older.map(deriveKeys)];
  }

  /** Ids of the keys it opens with, newest first; the first one seals. */
  get keyIds(): [string, ...string[]] {
    const [newest, ...older] = this.#keys;
    return [newest.id, ...older.map(({ id }) => id)];
  }

  /** @param owner what the credential belongs to, e.g. the ids of user and connection */
  seal(credential: Secret, owner: string): string {
    const [keys] = this.#keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, keys.encryption, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([
      nonce,
      cipher.update(credential.reveal(), 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${VERSION}.${keys.id}.${sealed.toString('base64url')}`;
  }

  /**
   * @throws SealedElsewhereError when its APP_SECRET is not in the list
   * @throws Error that names no secret when the text is damaged or belongs to another owner
   */
  open(text: string, owner: string): Secret {
    const [version, keyId, payload = ''] = text.split('.');
    const keys = this.#keys.find(({ id }) => id === keyId);
    if (version !== VERSION || !keys) throw new SealedElsewhereError();
    const bytes = Buffer.from(payload, 'base64url');
    // Without the length Node.js takes shorter tags, too, which are easier to guess.
    const decipher = createDecipheriv(ALGORITHM, keys.encryption, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return new Secret(Buffer.concat([opened, decipher.final()]).toString('utf8'));
  }

  /** Always the same for a credential, one for each secret in the list, newest first. They reveal nothing of it. */
  fingerprints(credential: Secret): [string, ...string[]] {
    const [newest, ...older] = this.#keys.map((keys) => hmac(keys.fingerprint, credential.reveal()));
    return [newest!, ...older];
  }

  /** Signs a text with the newest secret. What signs begins its texts in a way of its own. */
  sign(text: string): string {
    return hmac(this.#keys[0].signature, text);
  }

  /** Whether any of the listed secrets has signed a text. */
  hasSigned(text: string, signature: string): boolean {
    return this.#keys.some((keys) => hmac(keys.signature, text) === signature);
  }
}

function hmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Which key has sealed a text. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

function deriveKeys(secret: Secret): Keys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret.reveal(), 'tidemark', purpose, KEY_BYTES));
  const encryption = derive('credential encryption');
  return {
    id: hash('sha256', encryption, 'base64url').slice(0, 8),
    encryption,
    fingerprint: derive('credential fingerprint'),
    signature: derive('signature'),
  };
}

/** What a sealed credential is bound to. */
export function credentialOwner({ userId, id }: { userId: string; id: string }): string {
  return `${userId}/${id}`;
}
