import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { User } from '../../../src/auth/user.entity.js';
import { SessionsService } from '../../../src/auth/sessions.service.js';
import { Visitor } from '../../../src/kit/visitor.js';
import { afterThisTest } from '../../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../../support/factories.js';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.js';
import { throwawayFolder } from '../../support/throwaway-folder.js';

/** As the European Central Bank publishes it. 15 March 2026, the day of the tests, is a Sunday. */
const HISTORY = `Date,USD,JPY,BGN,HRK,RUB,GBP,
2026-03-13,1.0823,161.35,N/A,N/A,N/A,0.8412,
2026-03-12,1.0850,160.90,N/A,N/A,N/A,N/A,
2026-03-11,1.0905,161.12,N/A,N/A,N/A,0.8431,
2026-03-10,1.0877,160.02,N/A,N/A,N/A,0.8440,
2022-03-02,1.1106,128.00,1.9558,7.5700,N/A,0.83500,
2022-03-01,1.1162,128.10,1.9558,7.5650,117.2010,0.83475,
`;

interface Point {
  date: string;
  rates_as_of: string | null;
  assets_cents: number;
  liabilities_cents: number;
  net_worth_cents: number;
}

describe('GET /api/v1/net_worth?in=', () => {
  let server: ScriptedServer;
  let tidemark: TestApp;

  beforeAll(async () => {
    server = await startScriptedServer();
    tidemark = await startTestApp({ RATES_URL: `${server.url}/eurofxref-hist.csv` });
  });
  afterAll(async () => {
    await tidemark.stop();
    await server.stop();
  });
  let hours = 0;
  beforeEach(async () => {
    // The service tries no more than four times an hour.
    tidemark.clock.set(`2026-03-15T${String(6 + hours++).padStart(2, '0')}:00:00Z`);
    await tidemark.em().getConnection().execute('delete from exchange_rates');
    server.play({ body: HISTORY });
  });

  /** A person with one account in each currency, with these balances since 10 March. */
  const personWith = async (balances: Record<string, number>, scopes?: Parameters<typeof createClient>[1]) => {
    const client = await createClient(tidemark, scopes);
    const connection = await createConnection(tidemark, client.userId);
    for (const [currency, amount] of Object.entries(balances)) {
      const account = snapshotAccount({ name: currency, currency, balance: balance(amount) });
      account.transactions = [transaction('2026-03-10', 100, { currency })];
      if (amount < 0) account.suggestedType = 'credit_card';
      if (currency === 'USD') account.transactions.push(transaction('2026-03-12', 200_00));
      await writeSnapshot(tidemark, connection, account);
    }
    return client;
  };
  const get = async (client: TestClient, query: string) => {
    const { status, body } = await client.get(`/api/v1/net_worth${query}`);
    expect(status).toBe(200);
    return body;
  };
  const points = async (client: TestClient, query: string) =>
    ((await get(client, query)).net_worth as Point[]).map((point) => [
      point.date,
      point.rates_as_of,
      point.assets_cents,
      point.liabilities_cents,
      point.net_worth_cents,
    ]);
  const warnings = async (client: TestClient, query = '?in=EUR') =>
    ((await get(client, query)).warnings as { kind: string; message: string }[])
      .filter(({ kind }) => kind === 'no_rate' || kind === 'rates_outdated' || kind === 'other_currency')
      .map(({ kind, message }) => [kind, message]);

  const FOUR = { EUR: 1_234_56, USD: 500_00, JPY: 100_000, GBP: -250_00 };

  it('net worth in one currency is what a spreadsheet of the published rates gives, day by day', async () => {
    const client = await personWith(FOUR);
    // Assets: 1234.56 + (300, since the 12th 500) / USD + 100000 / JPY. Liabilities: 250 / GBP, which the 12th lacks.
    expect(await points(client, '?in=EUR')).toEqual([
      ['2026-03-10', '2026-03-10', 2135_29, 296_21, 1839_08],
      ['2026-03-11', '2026-03-11', 2130_32, 296_52, 1833_80],
      ['2026-03-12', '2026-03-11', 2316_89, 296_52, 2020_37],
      ['2026-03-13', '2026-03-13', 2316_31, 297_19, 2019_12],
      ['2026-03-14', '2026-03-13', 2316_31, 297_19, 2019_12],
      ['2026-03-15', '2026-03-13', 2316_31, 297_19, 2019_12],
    ]);
    // Each amount times USD, divided by its own rate of the same day: 250 * 1.0905 / 0.8431 on the 12th.
    expect(await points(client, '?in=usd&start_date=2026-03-12&end_date=2026-03-13')).toEqual([
      ['2026-03-12', '2026-03-11', 2513_83, 323_36, 2190_47],
      ['2026-03-13', '2026-03-13', 2506_94, 321_65, 2185_29],
    ]);
    const body = await get(client, '?in=EUR&granularity=month');
    expect(body).toMatchObject({ currency: 'EUR', granularity: 'month', rates_as_of: '2026-03-13' });
    expect(body.net_worth).toEqual([
      {
        date: '2026-03-15',
        ...{ assets: '€2,316.31', assets_cents: 2316_31, liabilities: '€297.19', liabilities_cents: 297_19 },
        ...{ net_worth: '€2,019.12', net_worth_cents: 2019_12, rates_as_of: '2026-03-13' },
        // The first balance may lack the $200.00 listed beside it.
        ...{ lowest: '€2,019.12', lowest_cents: 2019_12, highest: '€2,203.91', highest_cents: 2203_91 },
      },
    ]);
    expect(await warnings(client)).toEqual([]);
  });

  it('no rate is fetched before another currency is asked for, and then the file once', async () => {
    const before = server.requests.length;
    const [client, euros] = [await personWith(FOUR), await personWith({ EUR: 100 })];
    const plain = await get(client, '');
    expect(plain).toEqual({
      currency: 'EUR',
      currencies: ['EUR', 'GBP', 'JPY', 'USD'],
      granularity: 'day',
      net_worth: plain.net_worth,
      accounts: plain.accounts,
      warnings: plain.warnings,
    });
    expect(JSON.stringify(plain)).not.toContain('rates_as_of');
    expect(await get(euros, '?in=EUR')).toMatchObject({ rates_as_of: null });
    expect(server.requests.length - before).toBe(0);
    await Promise.all([1, 2, 3].map(() => get(client, '?in=EUR')));
    await get(client, '?in=USD');
    expect(server.requests.slice(before).map(({ path }) => path)).toEqual(['/eurofxref-hist.csv']);
  });

  it('rates are fetched again once newer ones must have been published', async () => {
    const client = await personWith(FOUR);
    await get(client, '?in=EUR');
    const before = server.requests.length;
    server.play({ body: HISTORY.replace('2026-03-13', '2026-03-16,1.1000,160.00,N/A,N/A,N/A,0.8500,\n2026-03-13') });
    tidemark.clock.set('2026-03-16T15:59:00Z');
    expect(await get(client, '?in=EUR')).toMatchObject({ rates_as_of: '2026-03-13' });
    expect(server.requests.length - before).toBe(0);
    tidemark.clock.set('2026-03-16T16:01:00Z');
    expect(await get(client, '?in=EUR')).toMatchObject({ rates_as_of: '2026-03-16' });
    expect((await points(client, '?in=EUR')).at(-1)!.slice(0, 2)).toEqual(['2026-03-16', '2026-03-16']);
    expect(server.requests.length - before).toBe(1);
  });

  it('an answer in one currency has no entity tag, because rates change it without a change of the person’s', async () => {
    const client = await personWith(FOUR);
    const { headers } = await client.get('/api/v1/net_worth?in=EUR');
    expect(headers.get('etag')).toBeNull();
  });

  it('a currency that the euro has replaced counts at its fixed rate, without a date', async () => {
    const client = await personWith({ HRK: 7_534_50, BGN: 195_58 });
    expect((await points(client, '?in=EUR')).at(-1)).toEqual(['2026-03-15', null, 1_100_00, 0, 1_100_00]);
    expect(await warnings(client)).toEqual([]);
  });

  it('a currency without a rate is left out and named, never counted one to one', async () => {
    const client = await personWith({ EUR: 100_00, RUB: 5_000_00, TWD: 9_000_00 });
    expect((await points(client, '?in=EUR')).at(-1)).toEqual(['2026-03-15', null, 100_00, 0, 100_00]);
    const why = 'and not part of 6 sums from 2026-03-10 to 2026-03-15: no exchange rate is known.';
    expect(await warnings(client)).toEqual([
      ['no_rate', `RUB is in RUB ${why}`],
      ['no_rate', `TWD is in TWD ${why}`],
    ]);
    expect(await warnings(client, '?in=TWD')).toEqual([
      ['no_rate', `EUR is in EUR ${why}`],
      ['no_rate', `RUB is in RUB ${why}`],
    ]);
    const [unknown] = (await get(client, '?in=ARS')).net_worth;
    expect(unknown).toMatchObject({
      assets: null,
      liabilities: null,
      net_worth: null,
      lowest: null,
      highest_cents: null,
    });
  });

  it('a rate is carried on for seven days and no longer', async () => {
    const client = await personWith({ USD: 500_00 });
    server.play({ status: 503 });
    await tidemark
      .em()
      .getConnection()
      .execute(`insert into exchange_rates values ('2026-03-05', '{"USD": "1.0800"}')`);
    const until = (await points(client, '?in=EUR')).map(([date, rates, assets]) => [date, rates, assets]);
    expect(until.slice(1, 4)).toEqual([
      ['2026-03-11', '2026-03-05', 277_78],
      ['2026-03-12', '2026-03-05', 462_96],
      ['2026-03-13', null, null],
    ]);
    expect((await warnings(client))[0]).toEqual([
      'no_rate',
      'USD is in USD and not part of 3 sums from 2026-03-13 to 2026-03-15: no exchange rate is known.',
    ]);
  });

  it('net worth is answered when rates cannot be fetched, with those that are known and a warning', async () => {
    const client = await personWith({ EUR: 100_00, USD: 500_00 });
    server.play({ status: 503 });
    const [, outdated] = await warnings(client);
    const failed = 'The exchange rates cannot be read: their file was answered with status 503';
    expect(outdated).toEqual(['rates_outdated', `${failed}; none are known yet.`]);
    expect((await points(client, '?in=EUR')).at(-1)).toEqual(['2026-03-15', null, 100_00, 0, 100_00]);
    // Not at once: a server that is down is not asked by every request.
    server.play({ body: HISTORY });
    expect((await warnings(client)).length).toBe(2);
    tidemark.clock.set(`2026-03-15T${String(5 + hours).padStart(2, '0')}:20:00Z`);
    expect(await warnings(client)).toEqual([]);
    tidemark.clock.set('2026-03-16T17:00:00Z');
    server.play('reset');
    expect(await warnings(client)).toEqual([
      [
        'rates_outdated',
        expect.stringMatching(/^The exchange rates cannot be fetched \(\w+\); those of 2026-03-13 are used\.$/),
      ],
    ]);
    expect((await points(client, '?in=EUR')).at(-1)).toEqual(['2026-03-16', '2026-03-13', 561_98, 0, 561_98]);
  });

  it('a file that is too large, or none of rates, is not read', async () => {
    const client = await personWith({ USD: 500_00 });
    const megabyte = Buffer.alloc(1024 * 1024, '2026-03-13,1.0\n');
    server.play({ chunks: Array.from({ length: 20 }, () => megabyte) });
    const isRead = 'The exchange rates cannot be read: their file';
    expect((await warnings(client))[1]![1]).toBe(`${isRead} is larger than 16 MiB; none are known yet.`);
    tidemark.clock.set(`2026-03-15T${String(5 + hours).padStart(2, '0')}:20:00Z`);
    server.play({ body: '<!doctype html>' });
    expect((await warnings(client))[1]![1]).toContain(`${isRead} must begin with a line of names`);
  });

  it('rates may come from a file of one’s own', async () => {
    const folder = await throwawayFolder('rates');
    const path = join(folder, 'rates.csv');
    await writeFile(path, 'Date,TWD\n2026-03-13,34.50\n');
    const beside = await startTestApp({ RATES_URL: path }, tidemark.clock, tidemark.database);
    afterThisTest(() => beside.stop());
    const { userId, key } = await personWith({ TWD: 9_000_00 });
    const person = await createClient(beside);
    Object.assign(person, { userId, key });
    expect((await points(person, '?in=EUR')).at(-1)).toEqual(['2026-03-15', '2026-03-13', 260_87, 0, 260_87]);
  });

  it('the wanted currency must be one that is in use, and alone', async () => {
    const client = await personWith({ EUR: 100 });
    const refused = async (query: string) => {
      const { status, body } = await client.get(`/api/v1/net_worth${query}`);
      return [status, body.message];
    };
    expect(await refused('?in=euro')).toEqual([422, 'in must be a currency code of three letters']);
    expect(await refused('?in=XXX')).toEqual([422, 'in must be a currency code such as EUR']);
    const both = 'currency must not be given together with in, which adds all currencies up';
    expect(await refused('?in=EUR&currency=USD')).toEqual([422, both]);
  });

  it('a key needs the scope of balances, and one that is limited to accounts gets their sums', async () => {
    const stranger = await personWith({ EUR: 100 }, { scopes: ['accounts:read'] });
    expect((await stranger.get('/api/v1/net_worth?in=EUR')).status).toBe(403);
    const client = await personWith({ EUR: 100_00, USD: 500_00 });
    const { accounts } = (await client.get('/api/v1/accounts')).body as { accounts: { id: string; name: string }[] };
    const dollars = accounts.find(({ name }) => name === 'USD')!.id;
    expect((await points(client, `?in=EUR&account_id=${dollars}`)).at(-1)!.slice(2, 3)).toEqual([461_98]);
  });

  describe('the overview in one currency', () => {
    const visit = async ({ userId }: TestClient) => {
      const user = await tidemark.em().findOneOrFail(User, { id: userId });
      return new Visitor(tidemark.url, (await tidemark.app.get(SessionsService).begin(user)) ?? undefined);
    };

    it('the overview shows all currencies in one, with the figures of the API and the date of the rates', async () => {
      const person = await visit(await personWith({ ...FOUR, TWD: 9_000_00 }));
      const before = server.requests.length;
      const each = await person.get('/?range=30d&currency=EUR');
      expect(each.text).toContain('All in EUR');
      expect(each.html).toContain('href="/?range=30d&amp;currency=EUR" aria-current="true"');
      expect(server.requests.length - before).toBe(0);
      const { text, html } = await person.get('/?range=30d&in=EUR');
      expect(text).toContain(
        '€2,019.12 Assets €2,316.31 Debts −€297.19 at the reference rates of 13 Mar 2026, earlier days at theirs',
      );
      expect(text).toContain('without TWD (no rate of TWD)');
      // Since the 10th, when all of them were known.
      expect(text).toContain('+€180.04 (+9.8%) since 10 Mar 2026 in 4 accounts');
      expect(html).toContain('<a href="/?range=30d&amp;in=EUR" aria-current="true">All in EUR</a>');
      expect(html).toContain('href="/?range=month&amp;in=EUR"');
      // The largest transaction of one currency may not be the largest of all.
      expect([each, { html }].map((page) => page.html.includes('data-href'))).toEqual([true, false]);
      // $200 at the last rate; before, the other currencies were worth a little more.
      expect(text).toMatch(
        /Why it changed .*10 Mar 2026 €1,839\.08 .*\+€184\.79 .*Exchange rates −€4\.75 Today €2,019\.12/,
      );
      expect(text).toMatch(/What moved most USD \+€\d+\.\d\d/);
      // To the cent, whatever each account is rounded to.
      const moved = /What moved most (.*? 1 other \S+)/.exec(text)![1]!.match(/[+−]€[\d.]+/g)!;
      const cents = moved.map((amount) => Number(amount.replace('−', '-').replace(/[€.]/g, '')));
      expect(cents.reduce((sum, minor) => sum + minor)).toBe(180_04);
      expect(text).toContain('53% of assets');
      expect(text).not.toMatch(/of [A-Z]{3} (assets|debts)/);
      expect(server.requests.length - before).toBe(1);
    });

    it('the overview in one currency says what is pending in all of them, and leads to it', async () => {
      const client = await personWith({ EUR: 100_00 });
      const connection = await createConnection(tidemark, client.userId);
      for (const [currency, minor] of [
        ['EUR', -100],
        ['USD', -10_00],
      ] as const) {
        const account = snapshotAccount({ name: `Held ${currency}`, currency, balance: balance(50_00) });
        account.transactions = [transaction('2026-03-14', minor, { currency, pending: true })];
        await writeSnapshot(tidemark, connection, account);
      }
      const person = await visit(client);
      const { text, html } = await person.get('/?in=EUR');
      const said = /€([\d.]+) at the .*2 pending, −€([\d.]+): €([\d.]+) once posted/.exec(text)!.slice(1).map(Number);
      const [total, pending, posted] = said as [number, number, number];
      expect(Math.round((total - pending) * 100)).toBe(Math.round(posted * 100));
      expect(pending).toBeGreaterThan(9);
      expect(pending).toBeLessThan(11);
      const href = /href="([^"]+)">2 pending/.exec(html)![1]!.replaceAll('&amp;', '&');
      expect((await person.get(href)).text).toContain('2 transactions found');
    });

    it('the overview says that rates could not be fetched, and shows what it has', async () => {
      const person = await visit(await personWith({ EUR: 100_00, USD: 500_00 }));
      server.play({ status: 503 });
      const { status, text } = await person.get('/?in=EUR');
      expect(status).toBe(200);
      expect(text).toContain(
        'The exchange rates cannot be read: their file was answered with status 503; none are known yet.',
      );
      expect(text).toContain('€100.00 without USD (no rate of USD)');
      expect(text).not.toContain('reference rates');
    });

    it('the overview offers no other currency to a person who has one', async () => {
      const person = await visit(await personWith({ EUR: 100_00 }));
      expect((await person.get('/')).text).not.toContain('All in EUR');
    });
  });
});
