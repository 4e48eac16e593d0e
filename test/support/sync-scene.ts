import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp } from './app.js';
import { type InstantBank, startInstantBank } from './instant-bank.js';
import { ended } from './syncs.js';

/** The day of the bank's newest transactions, and of the clock. */
export const TODAY = '2026-03-15';

/** The service beside a bank that answers at once, unless a test plays it otherwise. */
export class SyncScene {
  #serial = 0;

  private constructor(
    readonly tidemark: TestApp,
    readonly bank: InstantBank,
  ) {}

  static async start(environment: NodeJS.ProcessEnv = {}): Promise<SyncScene> {
    const bank = await startInstantBank(TODAY);
    return new SyncScene(await startTestApp({ ...LOCAL_PROVIDER, ...environment }), bank);
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
    await ended(person.client, person.first);
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
