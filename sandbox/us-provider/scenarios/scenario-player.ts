import type { CalendarDate } from '../../../src/platform/time/calendar-date.js';
import { startUsSandbox, type LocalUsSandbox } from '../local-server.js';
import type { AccountSet, WireAccount } from '../body.js';

export interface Got {
  status: number;
  type: string | null;
  text: string;
}

/** A client of the sandbox for its specs: it claims a token of a scenario and asks. */
export class ScenarioPlayer {
  today: CalendarDate = '2026-11-21';
  pauses = 0;
  readonly #access = new Map<string, { url: string; authorization: string }>();
  #sandbox: LocalUsSandbox;

  async start(): Promise<void> {
    const pause = () => {
      this.pauses += 1;
      return Promise.resolve();
    };
    this.#sandbox = await startUsSandbox({ today: () => this.today, pause });
  }

  stop(): Promise<void> {
    return this.#sandbox.close();
  }

  async claim(
    scenario: string,
    setupToken = this.#sandbox.setupToken(scenario),
  ): Promise<Got & { location: string | null }> {
    const url = Buffer.from(setupToken, 'base64').toString();
    const response = await fetch(url, { method: 'POST', redirect: 'manual' });
    return { ...(await gotOf(response)), location: response.headers.get('location') };
  }

  setupToken(scenario: string): string {
    return this.#sandbox.setupToken(scenario);
  }

  /** Asks `/accounts`; the same credential for all requests of a test. */
  async get(scenario: string, query = '', signal?: AbortSignal): Promise<Got> {
    const { url, authorization } = await this.#accessTo(scenario);
    return gotOf(await fetch(`${url}/accounts?${query}`, { headers: { Authorization: authorization }, signal }));
  }

  async ask(scenario: string, query = ''): Promise<AccountSet> {
    const { status, text } = await this.get(scenario, query);
    if (status !== 200) throw new Error(`${scenario} answered ${status}`);
    return JSON.parse(text) as AccountSet;
  }

  async firstAccount(scenario: string, query = ''): Promise<WireAccount> {
    const [account] = (await this.ask(scenario, query)).accounts;
    if (!account) throw new Error(`${scenario} has no accounts`);
    return account;
  }

  /** Whether a request with this text in its query has arrived. */
  saw(text: string): boolean {
    return this.#sandbox.requests.some(({ target }) => target.includes(text));
  }

  /** Forgets credentials, so that the next request is the first one of a new token. */
  forget(): void {
    this.#access.clear();
  }

  async #accessTo(scenario: string) {
    const known = this.#access.get(scenario);
    if (known) return known;
    const url = new URL((await this.claim(scenario)).text.trim());
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const access = {
      url: `${url.origin}${url.pathname}`,
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    };
    this.#access.set(scenario, access);
    return access;
  }
}

async function gotOf(response: Response): Promise<Got> {
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}
