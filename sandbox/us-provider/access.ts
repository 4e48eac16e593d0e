import { createHmac } from 'node:crypto';

/** Credentials follow from the code alone, so that an access URL outlives a restart. It guards invented money only. */
const KEY = 'tidemark sandbox';

export interface Credentials {
  user: string;
  password: string;
}

export function credentialsOf(code: string): Credentials {
  return {
    user: Buffer.from(code).toString('hex').toUpperCase(),
    password: createHmac('sha256', KEY).update(code).digest('hex').toUpperCase(),
  };
}

/** The credentials' address; both parts are percent-encoded. */
export function accessUrl(root: string, { user, password }: Credentials): string {
  return root.replace('://', `://${encodeURIComponent(user)}:${encodeURIComponent(password)}@`);
}

/** The code whose credentials an `Authorization` header carries, with the password to compare; `null` if none. */
export function readAuthorization(header: string | undefined): { code: string; password: string } | null {
  const encoded = /^Basic (\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (user === undefined || password === undefined) return null;
  return { code: Buffer.from(user, 'hex').toString(), password };
}
