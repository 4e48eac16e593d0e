import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { ACCOUNTS, type BankRow } from './rows.js';

/** The floor: the same rows into the same table by PostgreSQL alone, from a file that lies ready. */
export class PlainWork {
  readonly #userId = randomUUID();
  readonly #accounts = Array.from({ length: ACCOUNTS }, () => randomUUID());
  /** The database server is on this machine and can read it. */
  readonly #file = join(tmpdir(), `tidemark-bench-${this.#userId}.copy`);

  constructor(private readonly client: pg.Client) {}

  async begin(): Promise<void> {
    await this.client.query(`insert into users (id, email, password_hash) values ($1, $2, '')`, [
      this.#userId,
      `${this.#userId}@tidemark.example`,
    ]);
    await this.client.query(
      `insert into accounts (user_id, id, provider, external_id, name)
       select $1, id, 'plain', id::text, 'Plain' from unnest($2::uuid[]) as id`,
      [this.#userId, this.#accounts],
    );
  }

  /** COPY into a temporary table, insert what is missing, update what differs. @returns seconds */
  async merge(rows: readonly BankRow[]): Promise<number> {
    await writeFile(this.#file, rows.map((row) => this.#line(row)).join(''));
    try {
      return await this.#mergeFile();
    } finally {
      await rm(this.#file, { force: true });
    }
  }

  async #mergeFile(): Promise<number> {
    const startedAt = performance.now();
    await this.client.query('begin');
    await this.client.query(`
      create temporary table incoming (account_id uuid, external_id text, date date, amount_minor bigint, currency text,
        description text, merchant text, pending boolean) on commit drop`);
    await this.client.query(`copy incoming from '${this.#file}'`);
    await this.client.query('analyze incoming');
    await this.client.query(
      `insert into transactions (user_id, account_id, external_id, date, amount_minor, currency, description, merchant,
         pending, first_seen_at)
       select $1, incoming.*, now() from incoming
       where not exists (select from transactions stored where stored.user_id = $1
         and stored.account_id = incoming.account_id and stored.external_id = incoming.external_id)`,
      [this.#userId],
    );
    await this.client.query(
      `update transactions stored set date = incoming.date, amount_minor = incoming.amount_minor,
         description = incoming.description, merchant = incoming.merchant, pending = incoming.pending
       from incoming where stored.user_id = $1 and stored.account_id = incoming.account_id
         and stored.external_id = incoming.external_id
         and (stored.date, stored.amount_minor, stored.description, stored.merchant, stored.pending) is distinct from
           (incoming.date, incoming.amount_minor, incoming.description, incoming.merchant, incoming.pending)`,
      [this.#userId],
    );
    await this.client.query('commit');
    return (performance.now() - startedAt) / 1000;
  }

  #line({ account, id, date, amountMinor, description, merchant }: BankRow): string {
    return `${[this.#accounts[account], id, date, amountMinor, 'USD', description, merchant, 'f'].join('\t')}\n`;
  }
}
