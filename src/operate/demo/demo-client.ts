import type { BalanceCollection } from '../../balances/record/balance.response.js';
import type { TransactionCollection } from '../../balances/transactions/transaction.response.js';
import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';
import type { ConnectionResponse } from '../../sync/overview/connection.response.js';
import type { SyncResponse } from '../../sync/runs/sync.response.js';

/** The secret in the request's member for it. */
export type ConnectSecret =
  { provider: 'us_provider'; setup_token: string } | { provider: 'global_provider'; api_key: string };

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

  /** Adds a house, and what it is worth by the day. */
  async addHouse(name: string, values: Readonly<Record<CalendarDate, string>>): Promise<void> {
    const house = { name, account_type: 'property', currency: 'USD' };
    const { id } = await this.#request<{ id: string }>('/api/v1/accounts', house);
    for (const [date, value] of Object.entries(values)) {
      await this.#send(`/api/v1/accounts/${id}/values/${date}`, { method: 'PUT', body: JSON.stringify({ value }) });
    }
  }

  /** Says of the newest posted transaction that it was made on the day before. */
  async correctNewest(note: string): Promise<void> {
    const list = await this.#request<TransactionCollection>(
      '/api/v1/transactions?pending=false&source=bank&per_page=1',
    );
    for (const { id, date } of list.transactions) {
      const body = JSON.stringify({ date: addDays(date, -1), note });
      await this.#send(`/api/v1/transactions/${id}`, { method: 'PATCH', body });
    }
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
