import type { BalanceCollection } from '../balances/record/balance.response.js';
import type { ExampleIds } from '../sync/overview/example-ids.queries.js';
import type { ConnectionResponse } from '../sync/overview/connection.response.js';
import type { SyncResponse } from '../sync/runs/sync.response.js';

/** The secret in the request's member for it. */
export type ConnectSecret =
  { provider: 'us_provider'; setup_token: string } | { provider: 'global_provider'; api_key: string };

interface ListedAccount {
  id: string;
  name: string;
  connection_id: string | null;
}

/** The requests of the demo, over HTTP like those of any client. */
export class DemoClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  connect(request: ConnectSecret & { name: string }): Promise<ConnectionResponse> {
    return this.#request('/api/v1/connections', request);
  }

  /** Its accounts and their history stay. */
  async removeConnection(id: string): Promise<void> {
    await this.#send(`/api/v1/connections/${id}`, { method: 'DELETE' });
  }

  /** Streams the sync at every change until it has ended. */
  async *syncUpdates(id: string | null): AsyncGenerator<SyncResponse> {
    const response = await fetch(`${this.url}/api/v1/syncs/${id}/events`, { headers: { 'X-Api-Key': this.key } });
    if (!response.ok || !response.body) throw new Error(`following the sync was answered ${response.status}`);
    let received = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (received + chunk).split('\n\n');
      received = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data) yield JSON.parse(data) as SyncResponse;
      }
    }
  }

  async countBalances(): Promise<number> {
    const { pagination } = await this.#request<BalanceCollection>('/api/v1/balances?per_page=1');
    return pagination.total_count;
  }

  /** One id of each kind of record, by the last segment of its list's path, and two accounts that are one. */
  async firstIds(): Promise<ExampleIds> {
    const ids: ExampleIds = {};
    for (const list of ['accounts', 'balances', 'connections', 'syncs', 'transactions']) {
      const page = await this.#request<Record<string, { id: string }[]>>(`/api/v1/${list}?per_page=1`);
      ids[list] = page[list]![0]!.id;
    }
    const { accounts } = await this.#request<{ accounts: ListedAccount[] }>('/api/v1/accounts?per_page=100');
    const disconnected = accounts.find(({ connection_id: connectionId }) => connectionId === null)!;
    const replacement = accounts.find(({ id, name }) => id !== disconnected.id && name === disconnected.name)!;
    return { ...ids, disconnected: disconnected.id, replacement: replacement.id };
  }

  async #request<T>(path: string, body?: object): Promise<T> {
    const response = await this.#send(path, body && { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as T;
  }

  async #send(path: string, init?: RequestInit): Promise<Response> {
    const headers = { 'X-Api-Key': this.key, 'Content-Type': 'application/json' };
    const response = await fetch(this.url + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
}
