import type { CalendarDate } from '../../../src/platform/time/calendar-date.js';
import { freshApiKey } from '../api-key.js';
import type {
  WireAccount,
  WireAccountList,
  WireBalance,
  WireHoldingList,
  WireTransaction,
  WireTransactionList,
} from '../body.js';
import { startGlobalSandbox, type LocalGlobalSandbox } from '../local-server.js';
import type { Call } from '../scenario.js';

export interface Got {
  status: number;
  headers: Headers;
  text: string;
}

/** A client of the sandbox for its specs: it makes up the key of a scenario and asks. */
export class ScenarioPlayer {
  today: CalendarDate = '2026-11-21';
  pauses = 0;
  readonly #keys = new Map<string, string>();
  #sandbox: LocalGlobalSandbox;

  async start(): Promise<void> {
    const pause = () => {
      this.pauses += 1;
      return Promise.resolve();
    };
    this.#sandbox = await startGlobalSandbox({ today: () => this.today, pause });
  }

  stop(): Promise<void> {
    return this.#sandbox.close();
  }

  /** Forgets the keys, so that the next request is the first one of a new key. */
  forget(): void {
    this.#keys.clear();
  }

  /** Whether a request with this text in its address has arrived. */
  saw(text: string): boolean {
    return this.#sandbox.requests.some(({ target }) => target.includes(text));
  }

  async get(scenario: string, path = '/accounts', signal?: AbortSignal): Promise<Got> {
    const key = this.#keys.get(scenario) ?? freshApiKey(scenario);
    this.#keys.set(scenario, key);
    const init = { headers: { 'X-Api-Key': key }, redirect: 'manual', signal } as const;
    const response = await fetch(this.#sandbox.baseUrl + path, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async accounts(scenario: string): Promise<WireAccount[]> {
    return (await this.#ask<WireAccountList>(scenario, '/accounts')).accounts;
  }

  async balance(scenario: string, account = 0): Promise<WireBalance['balance']> {
    return (await this.#ask<WireBalance>(scenario, await this.path('balance', account))).balance;
  }

  async transactions(scenario: string, query = '', account = 0): Promise<WireTransaction[]> {
    return (await this.list(scenario, query, account)).transactions;
  }

  async list(scenario: string, query = '', account = 0): Promise<WireTransactionList> {
    return this.#ask(scenario, `${await this.path('transactions', account)}?${query}`);
  }

  async holdings(scenario: string, account = 0): Promise<WireHoldingList> {
    return this.#ask(scenario, await this.path('holdings', account));
  }

  /** The path of an account's call, by its place in the healthy household. */
  async path(call: Call, account = 0): Promise<string> {
    const { accounts } = await this.#ask<WireAccountList>('healthy', '/accounts');
    return `/accounts/${accounts[account]!.id}/${call}`;
  }

  /** One whole sync, as the sandbox sees it. */
  async visit(scenario: string): Promise<void> {
    await this.get(scenario);
    await this.get(scenario, await this.path('balance'));
  }

  async #ask<T>(scenario: string, path: string): Promise<T> {
    const { status, text } = await this.get(scenario, path);
    if (status !== 200) throw new Error(`${scenario} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }
}
