import type { BalanceCollection } from '../balances/balance.response.js';
import type { ConnectionResponse } from '../sync/connection.response.js';
import type { SyncResponse } from '../sync/sync.response.js';

/** The few requests the demo makes, over HTTP like any client. */
export class DemoClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  connect(setupToken: string): Promise<ConnectionResponse> {
    return this.#request('/api/v1/connections', {
      provider: 'us_provider',
      setup_token: setupToken,
      name: 'Sandbox banks',
    });
  }

  sync(id: string | null): Promise<SyncResponse> {
    return this.#request(`/api/v1/syncs/${id}`);
  }

  async countBalances(): Promise<number> {
    const { pagination } = await this.#request<BalanceCollection>('/api/v1/balances?per_page=1');
    return pagination.total_count;
  }

  async #request<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(this.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-Api-Key': this.key, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}
