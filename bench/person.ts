import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { hashApiKey, newApiKey } from '../src/auth/api-key.js';
import { SCOPES } from '../src/auth/scopes.js';
// Declares the scopes.
import '../src/modules.js';

export interface Person {
  userId: string;
  /** Opens everything. */
  key: string;
}

/** A person with a key and nothing else yet. */
export async function createPerson(client: pg.Client): Promise<Person> {
  const userId = randomUUID();
  const key = newApiKey();
  await client.query(`insert into users (id, email, password_hash) values ($1, $2, 'none')`, [
    userId,
    `${userId}@example.com`,
  ]);
  await client.query(
    `insert into api_keys (user_id, id, name, scopes, key_hash, hint) values ($1, $2, 'bench', $3, $4, 'hint')`,
    [userId, randomUUID(), SCOPES, hashApiKey(key)],
  );
  return { userId, key };
}
