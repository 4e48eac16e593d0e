import { setTimeout as wait } from 'node:timers/promises';
import type { SyncResponse } from '../../src/sync/runs/sync.response.js';
import type { Person } from '../person.js';
import type { Server } from '../servers.js';

const POLL_MS = 100;

/** A person's syncs, asked for as any program would ask. */
export class Syncs {
  constructor(
    private readonly server: Server,
    private readonly person: Person,
  ) {}

  /** Connects and waits for the first sync. */
  async connect(body: object): Promise<{ connectionId: string; seconds: number }> {
    const connection = await this.#request<{ id: string; latest_sync_id: string }>('/connections', body);
    return { connectionId: connection.id, seconds: await this.#secondsOf(connection.latest_sync_id) };
  }

  /** @returns how many seconds it took */
  async again(connectionId: string): Promise<number> {
    const { id } = await this.#request<SyncResponse>(`/connections/${connectionId}/sync`, {});
    return this.#secondsOf(id);
  }

  /** From its start to its end, fetching, parsing, writing and deriving included; not the time in the queue. */
  async #secondsOf(syncId: string): Promise<number> {
    for (;;) {
      const sync = await this.#request<SyncResponse>(`/syncs/${syncId}`);
      const { status, started_at, finished_at, problems } = sync;
      if (finished_at === null) await wait(POLL_MS);
      else if (status === 'succeeded') return (Date.parse(finished_at) - Date.parse(started_at!)) / 1000;
      else throw new Error(`the sync ended ${status}: ${JSON.stringify(problems)}`);
    }
  }

  async #request<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.server.url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-Api-Key': this.person.key, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}
