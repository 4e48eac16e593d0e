import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EXIT_CONFIG, StartupError } from '../config/startup-error.js';
import { InstalledExtensions, type PersonalTable } from '../extension/extension.js';
import { PlainPool } from '../database/plain-pool.js';

/** What is stored about a user, table by table. Never a secret: no credential, no password, no hash of a token. */
const TABLES: readonly PersonalTable[] = [
  { type: 'user', table: '(select u.*, u.id as user_id from users u)', without: ['password_hash'] },
  { type: 'session', table: 'sessions', without: ['token_hash'] },
  { type: 'second_factor', table: 'second_factors', without: ['credential', 'last_used_step'] },
  { type: 'recovery_code', table: 'recovery_codes', without: ['code_hash'] },
  { type: 'invitation', table: 'invitations', without: ['token_hash'] },
  { type: 'api_key', table: 'api_keys', without: ['key_hash', 'previous_key_hash'] },
  { type: 'audit_event', table: 'audit_events' },
  {
    type: 'connection',
    table: 'connections',
    without: ['credential', 'credential_fingerprint', 'pasted_fingerprint', 'pasted_at'],
  },
  { type: 'provider_request', table: 'provider_requests' },
  { type: 'account', table: 'accounts' },
  { type: 'accounts_kept_separate', table: 'accounts_kept_apart' },
  { type: 'deleted_account', table: 'deleted_accounts' },
  { type: 'transaction', table: 'transactions' },
  { type: 'transaction_version', table: 'transaction_versions' },
  { type: 'balance_version', table: 'balance_versions' },
  { type: 'observation', table: 'observations' },
  { type: 'holding', table: 'holdings' },
  { type: 'balance', table: 'balances' },
  { type: 'uncertain_day', table: 'uncertain_days' },
  { type: 'sync', table: 'sync_runs' },
  { type: 'webhook_endpoint', table: 'webhook_endpoints' },
  { type: 'webhook_secret', table: 'webhook_secrets', without: ['credential'] },
  { type: 'webhook_delivery', table: 'webhook_deliveries' },
];

/** Exports everything that is stored about a user. */
@Injectable()
export class PersonalDataExportService implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: PlainPool,
    private readonly extensions: InstalledExtensions,
  ) {}

  /** A misspelled table would fail every export. @throws StartupError */
  onModuleInit(): void {
    const tables = new Set([...this.em.getMetadata().getAll().values()].map(({ tableName }) => tableName));
    for (const { tag, personalData } of this.extensions.all) {
      const unknown = personalData.find(({ table }) => !tables.has(table));
      if (!unknown) continue;
      const message = `The module “${tag.name}” has no entity of the table ${unknown.table} in personalData.`;
      throw new StartupError(message, EXIT_CONFIG);
    }
  }

  /**
   * One JSON object per line, each with its `type`. All tables are read in one snapshot, in constant memory.
   * Raw, because tables are read whole, whatever columns they have.
   */
  async *lines(userId: string): AsyncGenerator<string, void> {
    const tables = [...TABLES, ...this.extensions.all.flatMap(({ personalData }) => personalData)];
    const statements = tables.map(({ type, table, without = [] }) => ({
      text: `
        select (jsonb_build_object('type', '${type}') || to_jsonb(r) - 'user_id' - $2::text[])::text as line
        from ${table} r where user_id = $1`,
      values: [userId, [...without]],
    }));
    for await (const rows of this.pool.readAll<{ line: string }>(...statements)) {
      yield rows.map(({ line }) => `${line}\n`).join('');
    }
  }
}
