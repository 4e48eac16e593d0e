import { middayZone } from '../../support/midday.js';
import { Visitor } from '../../../src/kit/visitor.js';
import { type Answer, ask, askJson, postForm, type Question } from './http.js';
import type { DrillService } from './service.js';
import { until } from './waiting.js';

export const PASSWORD = 'correct horse battery';

let people = 0;

/** Somebody who has signed up on the pages and made a key there. */
export class Person {
  private constructor(
    readonly url: string,
    readonly email: string,
    readonly visitor: Visitor,
    readonly key: string,
  ) {}

  /** By the forms of the pages, as a person does it. */
  static async signUp({ url }: Pick<DrillService, 'url'>): Promise<Person> {
    const email = `person-${++people}-${process.pid}@example.com`;
    const visitor = new Visitor(url);
    const { status } = await visitor.submit('/sign-up', { email, password: PASSWORD, time_zone: middayZone() });
    if (status !== 303) throw new Error(`signing up was answered ${status}`);
    return new Person(url, email, visitor, await createKey(visitor));
  }

  /** Sends a form to another instance, which knows the session, too. @param from the page that has the form */
  async submitAt(
    { url }: Pick<DrillService, 'url'>,
    path: string,
    fields: Record<string, string>,
    from: string,
  ): Promise<Answer> {
    const { html } = await this.visitor.get(from);
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    return postForm(url + path, { ...fields, form_token: token }, { Cookie: this.cookie });
  }

  /** The same person as a client of another instance. */
  elsewhere({ url }: Pick<DrillService, 'url'>): Person {
    return new Person(url, this.email, this.visitor, this.key);
  }

  get cookie(): string {
    const name = ['tidemark', '__Host-tidemark'].find((name) => this.visitor.cookie(name))!;
    return `${name}=${this.visitor.cookie(name)}`;
  }

  get(path: string, more: Question = {}): Promise<Answer> {
    return ask(this.url + path, { ...more, headers: { 'X-Api-Key': this.key, ...more.headers } });
  }

  send(method: string, path: string, body: unknown = {}, more: Question = {}): Promise<Answer> {
    return askJson(this.url + path, this.key, method, body, more);
  }

  /** @returns the id of the connection, once its first sync has ended */
  async connect(setupToken: string, more: object = {}): Promise<string> {
    const answer = await this.send('POST', '/api/v1/connections', {
      ...{ provider: 'us_provider', setup_token: setupToken },
      ...more,
    });
    if (answer.status !== 201) throw new Error(`connecting was answered ${answer.status}: ${answer.text}`);
    const { id, latest_sync_id } = JSON.parse(answer.text) as { id: string; latest_sync_id: string };
    await this.syncEnded(latest_sync_id);
    return id;
  }

  /** @returns the answer to asking for a sync now */
  syncNow(connectionId: string): Promise<Answer> {
    return this.send('POST', `/api/v1/connections/${connectionId}/sync`);
  }

  /** @returns the status it has ended with */
  async syncEnded(syncId: string, maxMs = 60_000): Promise<string> {
    return until(
      async () => {
        const { status } = await this.json<{ status: string }>(`/api/v1/syncs/${syncId}`);
        return ['queued', 'running'].includes(status) ? null : status;
      },
      'the sync has ended',
      maxMs,
    );
  }

  /** The body of an answer that must be 200. */
  async json<T>(path: string): Promise<T> {
    const { status, failure, text } = await this.get(path);
    if (status !== 200) throw new Error(`${path} was answered ${status} ${failure}`);
    return JSON.parse(text) as T;
  }

  async accountIds(): Promise<string[]> {
    const { accounts } = await this.json<{ accounts: { id: string }[] }>('/api/v1/accounts?per_page=100');
    return accounts.map(({ id }) => id);
  }
}

async function createKey(visitor: Visitor): Promise<string> {
  const made = await visitor.submit('/keys', { name: 'drill', preset: 'full' }, '/keys');
  const { status, html } = await visitor.follow(made);
  const key = /\btm_[0-9A-Za-z]{40,}/.exec(html)?.[0];
  if (!key) throw new Error(`making a key was answered ${status}`);
  return key;
}
