import { createClient, startTestApp, type TestApp, type TestClient } from './app.js';
import { type InstantBank, startInstantBank } from './instant-bank.js';

/** The day of the bank's newest transactions, and of the clock. */
export const TODAY = '2026-03-15';
const OPEN = ['queued', 'running'];
const DEADLINE_MS = 60_000;

/** The service beside a bank that answers at once, unless a test plays it otherwise. */
export class SyncScene {
  #serial = 0;

  private constructor(
    readonly tidemark: TestApp,
    readonly bank: InstantBank,
  ) {}

  static async start(): Promise<SyncScene> {
    const bank = await startInstantBank(TODAY);
    const local = { PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '127.0.0.1' };
    return new SyncScene(await startTestApp(local), bank);
  }

  async stop(): Promise<void> {
    await this.tidemark.stop();
    await this.bank.server.stop();
  }

  /** A person with a connection of their own user at the bank; its first sync may still be under way. */
  async connected() {
    const client = await createClient(this.tidemark);
    const user = `user${++this.#serial}`;
    const { body: connection } = await client.post('/api/v1/connections', {
      ...{ provider: 'us_provider', setup_token: this.bank.setupToken(user), history_days: 30 },
    });
    return { client, user, connection, first: connection.latest_sync_id as string };
  }

  /** The same with its first sync done. */
  async synced() {
    const person = await this.connected();
    await finished(person.client, person.first);
    return person;
  }

  async rowsOf(userId: string, tables = ['accounts', 'transactions', 'observations', 'balances']) {
    const rows: Record<string, unknown> = {};
    for (const table of tables) {
      rows[table] = await this.execute(`select * from ${table} where user_id = ? order by 1, 2, 3`, [userId]);
    }
    return rows;
  }

  execute(statement: string, parameters: unknown[] = []): Promise<Record<string, unknown>[]> {
    return this.tidemark.em().getConnection().execute(statement, parameters);
  }
}

export const syncNow = (client: TestClient, connectionId: string) =>
  client.post(`/api/v1/connections/${connectionId}/sync`);

/** A sync once it has ended. */
export async function finished(client: TestClient, id: string) {
  return until(async () => {
    const { body } = await client.get(`/api/v1/syncs/${id}`);
    return OPEN.includes(body.status) ? null : body;
  }, `finished: ${id}`);
}

export async function until<T>(look: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`still not ${what}`);
  }
}
