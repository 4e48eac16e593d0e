import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { readByCursor } from '../database/cursor.js';

/** What is kept of a person, table by table. Never what opens something: no credential, no password, no key. */
const TABLES: readonly { type: string; table: string; without?: string }[] = [
  { type: 'user', table: '(select u.*, u.id as user_id from users u)', without: '{password_hash}' },
  { type: 'api_key', table: 'api_keys', without: '{key_hash}' },
  { type: 'connection', table: 'connections', without: '{credential,credential_fingerprint}' },
  { type: 'account', table: 'accounts' },
  { type: 'transaction', table: 'transactions' },
  { type: 'observation', table: 'observations' },
  { type: 'holding', table: 'holdings' },
  { type: 'balance', table: 'balances' },
  { type: 'sync', table: 'sync_runs' },
];

/** Everything a person has here, for them to take along. */
@Injectable()
export class DataExport {
  constructor(private readonly em: EntityManager) {}

  /** One JSON object a line, each with its `type`; at the pace of who reads, in constant memory. */
  async *lines(userId: string): AsyncGenerator<string, void> {
    for (const { type, table, without = '{}' } of TABLES) {
      const text = `
        select (jsonb_build_object('type', '${type}') || to_jsonb(r) - 'user_id' - '${without}'::text[])::text as line
        from ${table} r where user_id = $1`;
      for await (const rows of readByCursor<{ line: string }>(this.em, { text, values: [userId] })) {
        yield rows.map(({ line }) => `${line}\n`).join('');
      }
    }
  }
}
