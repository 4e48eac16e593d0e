import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const API_KEY = 'the key of the operator';
const PAGE = 2;

interface Row {
  id: string;
  account_id: string;
  pending_id?: string;
  date: string;
  amount: string;
  description: string;
  pending: boolean;
}

interface Consent {
  id: string;
  institution_id: string;
  redirect_url: string;
  webhook_url: string;
  status: 'open' | 'given' | 'refused';
  access_token: string;
  link: string;
}

/** The vendor's server as its documentation describes it: one account, whose changes are numbered. */
export class FakeVendor {
  readonly consents: Consent[] = [];
  /** The cursors that were asked with. */
  readonly cursors: (string | null)[] = [];
  validUntil = '2026-06-13T12:00:00Z';
  hasEnded = false;
  #log: { row: Row | null; removed: string | null }[] = [];

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<FakeVendor> {
    const server = createServer();
    const vendor = new FakeVendor(server);
    server.on('request', (request, response) => {
      void bodyOf(request).then((body) => {
        const answer = vendor.#answer(request, body);
        response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  /** Adds a transaction, or changes it. */
  put(row: Omit<Row, 'account_id'>): void {
    this.#log.push({ row: { account_id: 'A-1', ...row }, removed: null });
  }

  remove(id: string): void {
    this.#log.push({ row: null, removed: id });
  }

  /** A person gives the newest consent on the vendor's page, or not. @returns the address that they come back to */
  decide(isGiven: boolean): string {
    const consent = this.consents.at(-1)!;
    consent.status = isGiven ? 'given' : 'refused';
    this.hasEnded &&= !isGiven;
    return `${consent.redirect_url}&ref=${consent.id}`;
  }

  push(signedWith = API_KEY): Promise<Response> {
    const body = JSON.stringify({ event: 'changes_available', item_id: 'item-1' });
    const signature = createHmac('sha256', signedWith).update(body).digest('hex');
    const address = this.consents.at(-1)!.webhook_url;
    return fetch(address, { method: 'POST', body, headers: { 'X-Signature': signature } });
  }

  #answer({ url = '', headers, method }: IncomingMessage, body: string): { status?: number; body: object } {
    const { pathname, searchParams: query } = new URL(url, this.url);
    const token = headers.authorization?.replace('Bearer ', '');
    if (pathname === '/accounts' || pathname === '/changes') {
      if (this.hasEnded || !this.consents.some((one) => one.status === 'given' && one.access_token === token))
        return { status: 401, body: { error: 'consent_ended' } };
      return { body: pathname === '/accounts' ? this.#accounts() : this.#changes(query.get('cursor')) };
    }
    if (token !== API_KEY) return { status: 401, body: { error: 'unknown_key' } };
    if (pathname === '/institutions') {
      const all = query.get('country') === 'DE' ? ['Sparkasse', 'Volksbank'] : [];
      const found = all.filter((name) => name.includes(query.get('search') ?? ''));
      return { body: { institutions: found.map((name) => ({ id: name.toUpperCase(), name })) } };
    }
    if (method === 'POST') {
      const id = `consent-${this.consents.length + 1}`;
      const made = { id, status: 'open' as const, access_token: `token-${id}`, link: `${this.url}/give/${id}` };
      this.consents.push({ ...(JSON.parse(body) as Consent), ...made });
      return { body: this.consents.at(-1)! };
    }
    const consent = this.consents.find(({ id }) => pathname === `/consents/${id}`);
    return consent ? { body: consent } : { status: 404, body: { error: 'unknown_consent' } };
  }

  #accounts(): object {
    const account = { id: 'A-1', name: 'Giro', currency: 'EUR', balance: '1250.00' };
    return { item_id: 'item-1', valid_until: this.validUntil, bank: 'Sparkasse', accounts: [account] };
  }

  /** From the beginning only what there still is, as added; later what has changed, page by page. */
  #changes(cursor: string | null): object {
    this.cursors.push(cursor);
    const from = Number(cursor ?? 0);
    const end = Math.min(this.#log.length, from + PAGE);
    const isGone = (id: string) =>
      this.#log.findLast((one) => one.removed === id || one.row?.id === id)?.removed === id;
    const seen = this.#log.slice(from, end);
    const rows = seen.flatMap(({ row }) => (row && !isGone(row.id) ? [row] : []));
    const removed = seen.flatMap(({ removed }) =>
      removed && isGone(removed) ? [{ id: removed, account_id: 'A-1' }] : [],
    );
    return { added: rows, modified: [], removed, next_cursor: String(end), has_more: end < this.#log.length };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
