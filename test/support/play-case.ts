import { createClient, LOCAL_PROVIDER, startTestApp, type TestAnswer, type TestApp, type TestClient } from './app.js';
import { listed } from './copy.js';
import { startScriptedBank, type ScriptedBank } from './scripted-bank.js';
import { API_KEY, globalProviderScript } from './scripted-global-provider.js';
import type { ScriptedRequest } from './scripted-server.js';
import { ended, synced } from './syncs.js';

type ByName<Value> = Record<string, Value>;
type ByDay<Value> = Record<string, Value>;

/** A bank's answers over time, as a file of `test/balances/cases/`, and what must come of them. */
export interface Case {
  title: string;
  provider: string;
  /** The person's. */
  time_zone: string;
  /** More members of `POST /connections`. */
  connect?: object;
  steps: CaseStep[];
  must: {
    /** By account and day; `null`: there is no balance of this day. */
    balances?: ByName<ByDay<number | null>>;
    types?: ByName<string | null>;
    /** Of the sync of each step. */
    status?: string[];
    /** The sync of each step, as the API shows it. */
    syncs?: object[];
    net_worth?: ByDay<number>;
    /** Since when accounts are stale; `null`: not. */
    stale?: ByName<string | null>;
    /** The suggested merges, by the name of the disconnected account that of the other. */
    merges?: ByName<string>;
    /** Since when the connection is stale; `null`: it is fresh. */
    connection_stale?: string | null;
    /** By the description of a transaction. */
    dates?: ByName<string>;
  };
}

interface CaseStep {
  /** The time of the sync. */
  at: string;
  /**
   * What the bank answers, as the wire has it, but an instant is a text such as `@2026-11-20T12:00Z`. Of the US provider
   * the whole list; of the global provider the list, and the answer to each other request by the account's id.
   */
  serve: {
    accounts: { id: string | number; transactions?: WireRow[] }[];
    balance?: ByName<object>;
    transactions?: ByName<object[]>;
    /** Of an account without an answer there are none: 501. */
    holdings?: ByName<object>;
  };
  /** Changes to accounts after the sync, by their names. */
  patch?: ByName<object>;
}

interface WireRow {
  posted: number;
  transacted_at?: number;
  pending?: boolean;
}

interface CaseOutcome {
  /** Of all days, and `null` for a day that the case names and the service does not have. */
  balances: ByName<ByDay<number | null>>;
  types: ByName<string | null>;
  status: string[];
  syncs: object[];
  netWorth: ByDay<number>;
  stale: ByName<string | null>;
  merges: ByName<string>;
  connection_stale: string | null;
  /** Of transactions with the same description the days of all. */
  dates: ByName<string>;
}

/** For a block of tests: the service beside one bank. The function plays a case for a new person. */
export function casePlayer(): (played: object) => Promise<CaseOutcome> {
  let bank: ScriptedBank;
  let tidemark: TestApp;

  beforeAll(async () => {
    bank = await startScriptedBank();
    const GLOBALPROVIDER_BASE_URL = `${bank.server.url}/api/v1`;
    tidemark = await startTestApp({ ...LOCAL_PROVIDER, GLOBALPROVIDER_BASE_URL });
  });
  afterAll(async () => {
    await tidemark.stop();
    await bank.stop();
  });

  return async (played) => {
    const { provider, time_zone: timeZone, connect, steps, must } = withInstants(played) as Case;
    const client = await createClient(tidemark, { timeZone });
    const secret = provider === 'us_provider' ? { setup_token: bank.token() } : { api_key: API_KEY };
    const syncs: TestAnswer['body'][] = [];
    let connectionId: string | null = null;
    for (const { at, serve, patch = {} } of steps) {
      tidemark.clock.set(at);
      bank.answers(provider === 'us_provider' ? usAnswer(serve) : globalAnswer(serve));
      if (connectionId === null) {
        const { body } = await client.post('/api/v1/connections', { provider, ...secret, ...connect });
        connectionId = body.id as string;
        syncs.push(await ended(client, body.latest_sync_id));
      } else syncs.push(await synced(client, connectionId));
      const { body } = await client.get('/api/v1/accounts?per_page=100');
      for (const [named, change] of Object.entries(patch)) {
        const { id } = body.accounts.find(({ name }: { name: string }) => name === named);
        await client.patch(`/api/v1/accounts/${id}`, change);
      }
    }
    return { ...(await storedOf(client, must)), syncs, status: syncs.map(({ status }) => status) };
  };
}

function withInstants(value: object): object {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' && member.startsWith('@') ? Date.parse(member.slice(1)) / 1000 : member,
  ) as object;
}

function usAnswer(serve: CaseStep['serve']) {
  return ({ query }: ScriptedRequest) => {
    const [from, until] = [Number(query.get('start-date')), Number(query.get('end-date') ?? Infinity)];
    const isListed = ({ posted, transacted_at = 0, pending }: WireRow) => {
      const at = posted || transacted_at;
      const mayBeListed = query.has('pending') || !(pending || posted === 0);
      return at >= from && at < until && mayBeListed;
    };
    if (query.has('balances-only')) {
      const accounts = serve.accounts.map((account) => ({ ...account, transactions: [], holdings: [] }));
      return { body: { ...serve, accounts } };
    }
    const accounts = serve.accounts.map((account) => ({
      ...account,
      transactions: account.transactions?.filter(isListed) ?? [],
    }));
    return { body: { ...serve, accounts } };
  };
}

function globalAnswer({ accounts, balance, transactions, holdings }: CaseStep['serve']) {
  const script = globalProviderScript(
    accounts.map((wire) => ({
      wire,
      balance: balance?.[wire.id],
      transactions: transactions?.[wire.id] ?? [],
      ...(holdings?.[wire.id] && { holdings: holdings[wire.id]! }),
    })),
  );
  return (request: ScriptedRequest) => script(request, 0);
}

interface ListedDay {
  date: string;
  end_balance_cents: number;
  account: { name: string };
}

async function storedOf(client: TestClient, { balances: asked = {} }: Case['must']) {
  const days = (await listed(client, 'balances')).map((text) => JSON.parse(text) as ListedDay);
  const rows = (await listed(client, 'transactions')).map((text) => JSON.parse(text) as Record<string, string>);
  const { accounts } = (await client.get('/api/v1/accounts?per_page=100')).body;
  const [{ staleness, merge_suggestions: offers }] = (await client.get('/api/v1/connections')).body.connections;
  const { net_worth: points } = (await client.get('/api/v1/net_worth')).body;
  const nameOf = (id: string) => accounts.find((account: { id: string }) => account.id === id).name as string;
  const balances: CaseOutcome['balances'] = {};
  for (const [name, ofDays] of Object.entries(asked))
    balances[name] = Object.fromEntries(Object.keys(ofDays).map((day) => [day, null]));
  for (const { date, end_balance_cents, account } of days) (balances[account.name] ??= {})[date] = end_balance_cents;
  const sameText = Object.entries(Object.groupBy(rows, ({ description }) => description!));
  return {
    balances,
    types: toRecord(accounts, 'name', 'account_type') as CaseOutcome['types'],
    stale: toRecord(accounts, 'name', 'stale_since') as CaseOutcome['stale'],
    merges: Object.fromEntries(
      offers.map((offer: Record<string, string>) => [nameOf(offer.account_id!), nameOf(offer.duplicate_account_id!)]),
    ) as CaseOutcome['merges'],
    connection_stale: staleness.level === 'stale' ? staleness.since : null,
    netWorth: toRecord(points, 'date', 'net_worth_cents') as CaseOutcome['netWorth'],
    dates: Object.fromEntries(sameText.map(([text, same]) => [text, same!.map(({ date }) => date).join(', ')])),
  };
}

function toRecord(records: Record<string, unknown>[], key: string, value: string): Record<string, unknown> {
  return Object.fromEntries(records.map((record) => [record[key] as string, record[value]]));
}
