import {
  decimalText,
  limitedList,
  looseText,
  parsePayload,
  type ProviderHttp,
  type ProviderReply,
  type RawTransaction,
  type Refusal,
  refusalError,
  type RequestContext,
  type Secret,
  UNLIMITED,
  writtenInText,
} from 'tidemark';
import { z } from 'zod';

// What the vendor sends. Members that are not named are dropped.

const INSTITUTIONS = z.object({ institutions: z.array(z.object({ id: z.string(), name: z.string() })) });
const CONSENT = z.object({
  id: z.string(),
  link: z.string().nullish(),
  institution_id: z.string(),
  status: z.string(),
  access_token: z.string().nullish(),
});
const ACCOUNT = z.object({ id: z.string(), name: looseText, currency: looseText, balance: decimalText.nullish() });
const ACCOUNTS = z.object({
  item_id: z.string(),
  valid_until: z.iso.datetime(),
  bank: looseText,
  accounts: z.array(ACCOUNT).max(500),
});
const CHANGES = z.object({
  added: limitedList(100_000, 'transactions'),
  modified: limitedList(100_000, 'transactions'),
  removed: z.array(z.object({ id: z.string(), account_id: z.string() })),
  next_cursor: z.string(),
  has_more: z.boolean(),
});
const TRANSACTION = z.object({
  id: z.string(),
  account_id: z.string(),
  pending_id: looseText,
  date: z.iso.date(),
  amount: decimalText,
  description: looseText,
  pending: z.boolean(),
});

export type VendorConsent = z.output<typeof CONSENT>;
export type VendorAccounts = z.output<typeof ACCOUNTS>;
/** All pages of an answer. */
export interface VendorChanges {
  changed: unknown[];
  removed: { id: string; account_id: string }[];
  cursor: string;
}

/** The account of a row; `null`: it names none. */
export function accountOf(item: unknown): string | null {
  return TRANSACTION.pick({ account_id: true }).safeParse(item).data?.account_id ?? null;
}

/** `null`: it cannot be read. */
export function readTransaction(item: unknown): RawTransaction | null {
  const { data } = TRANSACTION.safeParse(item);
  if (!data) return null;
  const { id, account_id: accountId, pending_id: pendingId, date, amount, description, pending } = data;
  const named = { id, accountId, pendingId: pendingId ?? null, amount, description, merchant: null, currency: null };
  return { ...named, written: writtenInText(date), pending };
}

const OF_CONSENT: readonly Refusal[] = [
  {
    status: 401,
    kind: 'access_revoked',
    message: 'The consent at the bank has ended or was withdrawn. Renew it: accounts and history stay.',
  },
];

/** An answer that changed between two of its pages is asked for again. */
const MAX_PAGES = 500;

/** The vendor's API. All methods throw ProviderError. */
export class Vendor {
  constructor(
    private readonly http: ProviderHttp,
    private readonly baseUrl: string,
    private readonly apiKey: string,
    private readonly timeoutMs: number,
  ) {}

  async institutions(country: string, text: string, signal: AbortSignal) {
    const query = new URLSearchParams({ country, search: text }).toString();
    const reply = await this.#send({ path: `/institutions?${query}`, what: 'banks', context: free(signal) });
    return parsePayload(INSTITUTIONS, reply, 'The provider’s list of banks').institutions;
  }

  async createConsent(wanted: object, signal: AbortSignal): Promise<VendorConsent> {
    const reply = await this.#send({ path: '/consents', what: 'a consent', context: free(signal), json: wanted });
    return parsePayload(CONSENT, reply, 'The provider’s consent');
  }

  async consent(id: string, signal: AbortSignal): Promise<VendorConsent> {
    const path = `/consents/${encodeURIComponent(id)}`;
    const reply = await this.#send({ path, what: 'the consent', context: free(signal) });
    return parsePayload(CONSENT, reply, 'The provider’s consent');
  }

  async accounts(token: Secret, context: RequestContext): Promise<VendorAccounts> {
    const reply = await this.#send({ path: '/accounts', what: 'accounts', context, token });
    return parsePayload(ACCOUNTS, reply, 'The provider’s list of accounts');
  }

  /** @param since `null`: all there is */
  async changes(token: Secret, since: string | null, context: RequestContext): Promise<VendorChanges> {
    const changes: VendorChanges = { changed: [], removed: [], cursor: since ?? '' };
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = changes.cursor ? `?cursor=${encodeURIComponent(changes.cursor)}` : '';
      const reply = await this.#send({ path: `/changes${query}`, what: 'changes', context, token });
      const answer = parsePayload(CHANGES, reply, 'The provider’s list of changes');
      changes.changed.push(...answer.added, ...answer.modified);
      changes.removed.push(...answer.removed);
      changes.cursor = answer.next_cursor;
      if (!answer.has_more) break;
    }
    return changes;
  }

  async #send(request: {
    path: string;
    what: string;
    context: RequestContext;
    token?: Secret;
    json?: object;
  }): Promise<ProviderReply> {
    const { path, what, context, token, json } = request;
    const reply = await this.http.send({
      method: json ? 'POST' : 'GET',
      url: this.baseUrl + path,
      headers: { Authorization: `Bearer ${token?.reveal() ?? this.apiKey}` },
      ...(json && { json }),
      timeoutMs: this.timeoutMs,
      what,
      ...context,
    });
    if (reply.status !== 200) throw refusalError(reply, token ? OF_CONSENT : [], 3600);
    return reply;
  }
}

/** For what belongs to no connection. */
function free(signal: AbortSignal): RequestContext {
  return { budget: UNLIMITED, signal };
}
