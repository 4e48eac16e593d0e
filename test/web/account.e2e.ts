import type { SnapshotMoney } from '../../src/providers/bank-provider.js';
import type { SnapshotAccount } from '../../src/providers/bank-provider.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { chartIn } from '../support/chart-data.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { Visitor } from '../../src/kit/visitor.js';

const FUND = {
  ...{ externalId: 'H-1', symbol: 'HTMX', name: 'Total Market', quantity: '10', valueMinor: 75_000, currency: 'USD' },
  ...{ costBasisMinor: null, price: '75.00', cashEquivalent: false },
};
const AVAILABLE = { status: 'available', total: null } as const;
const BOOKED = [
  transaction('2026-03-02', 300_000, { description: 'PAYROLL LARKSPUR', merchant: 'Larkspur' }),
  transaction('2026-03-09', -120_000, { description: 'MAPLE COURT RENT' }),
  transaction('2026-03-12', -1_500, { description: 'Kiosk', currency: 'CHF' }),
  transaction('2026-03-14', -275, { description: 'CITY TRANSIT', pending: true }),
];

describe('page of an account', () => {
  let test: TestApp;
  let person: Visitor;
  let write: (snapshot: SnapshotAccount) => Promise<string>;
  let checking: string;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    person = new Visitor(test.url);
    await person.signUp();
    const [user]: { id: string }[] = await test.em().execute('select id from users');
    const connection = await createConnection(test, user!.id);
    write = async (snapshot) => (await writeSnapshot(test, connection, snapshot)).accountId;
    checking = await write(snapshotAccount({ name: 'Everyday', balance: balance(200_000), transactions: BOOKED }));
  });
  afterAll(() => test.stop());

  const read = async (query = '', id = checking) => (await person.get(`/accounts/${id}${query}`)).text;

  it('the page of an account shows its details and its balance', async () => {
    expect(await read()).toMatch(/Everyday Test bank · Cash account · USD · Edit.*? \$2,000\.00/);
  });

  it('the page of an account shows its whole history and ranges of it', async () => {
    const data = async (query: string) => chartIn((await person.get(`/accounts/${checking}${query}`)).html);
    const all = await data('');
    expect([all.first, all.values.length]).toEqual(['2026-03-02', 14]);
    expect(all.values).toEqual(expect.arrayContaining([320_000, 200_000]));
    expect((await data('?range=30d')).first).toBe('2026-03-02');
    const { first, values } = await data('?from=2026-03-05&to=2026-03-09');
    expect([first, values.length]).toEqual(['2026-03-05', 5]);
  });

  it('the page of an account shows how the transactions of a day lead from its start to its end balance', async () => {
    expect(await read('?day=2026-03-09')).toMatch(/9 Mar 2026 .*Start \$3,200\.00 Out −\$1,200\.00 End \$2,000\.00/);
    const part = await person.get(`/accounts/${checking}/day?day=2026-03-09`);
    expect(part.html).toMatch(/^<section class="card" id="day"/);
    expect(await read('?day=2020-01-01')).toContain('No balance for this day.');
  });

  it('the page of an account escapes text of a bank', async () => {
    const description = `<img src=x onerror="alert(1)"> & '</td>`;
    const booked = transaction('2026-03-09', -100, { description, merchant: '<script>alert(1)</script>' });
    const id = await write(snapshotAccount({ externalId: 'M', name: '<b>Bold</b>', transactions: [booked] }));
    for (const path of [`/accounts/${id}`, `/accounts/${id}/transactions`, '/transactions?search=onerror', '/']) {
      const { html } = await person.get(path);
      expect([path, html.match(/<img src=x|<script>alert|<b>Bold/)]).toEqual([path, null]);
    }
    expect((await person.get('/transactions?search=onerror')).html).toContain('&lt;img src=x');
  });

  it('the page of an account marks pending transactions and explains the mark', async () => {
    const text = await read();
    expect(text).toMatch(/14 Mar 2026 CITY TRANSIT Pending −\$2\.75/);
    expect(text).toContain(
      'Pending transactions may still change or disappear. The history counts them once posted; the balance of today may already include them.',
    );
  });

  it('the page of an account opens on the last day with a change, and another day can be chosen', async () => {
    expect(await read()).toMatch(/9 Mar 2026 .*Start \$3,200\.00 Out −\$1,200\.00 End \$2,000\.00/);
    const { html } = await person.get(`/accounts/${checking}`);
    expect(html).toContain('type="date" name="day" value="2026-03-09"');
  });

  it('the page of an account sums pending transactions and can filter by them', async () => {
    expect(await read()).toContain('Pending 1 transaction of −$2.75: authorized but not posted yet.');
    expect(await read('?pending=true')).toMatch(/1 transaction found .*CITY TRANSIT/);
    const posted = await read('?pending=false');
    expect(posted).toContain('3 transactions found');
    expect(posted).not.toContain('CITY TRANSIT');
    expect(await read('?search=rent')).not.toContain('authorized but not posted yet');
  });

  it('the page of an account lists its daily balances, page by page and as CSV', async () => {
    const page = await read('/balances');
    // All of them are, after one report.
    expect(page).toContain('Estimated: what the bank has reported so far fits more than one balance for these days.');
    expect(page).toMatch(/Day In Out Balance 15 Mar 2026 \$2,000\.00 14 Mar 2026/);
    expect(page).toMatch(/9 Mar 2026 \$1,200\.00 \$2,000\.00/);
    expect(await read('/balances?page=99')).toContain('15 Mar 2026');
    const { headers, html: csv } = await person.get(`/accounts/${checking}/balances.csv`);
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(csv.trimEnd().split('\r\n')).toHaveLength(15);
    const stranger = new Visitor(test.url);
    await stranger.signUp('bert@example.com');
    for (const path of ['balances', 'balances.csv', 'transactions.csv']) {
      expect((await stranger.get(`/accounts/${checking}/${path}`)).status).toBe(404);
    }
  });

  it('offers the transactions and balances of an account as CSV before it is deleted with its history', async () => {
    const { text, html } = await person.get(`/accounts/${checking}`);
    expect(text).toMatch(/Its history is lost for good. .* Download it first: transactions ?, ?balances/);
    expect(html).toContain(`href="/accounts/${checking}/balances.csv"`);
    expect(html).toContain(`href="/accounts/${checking}/transactions.csv"`);
    const { headers, html: csv } = await person.get(`/accounts/${checking}/transactions.csv`);
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"');
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + BOOKED.length);
  });

  it('the transactions of an account have no page after the last, and an empty search result says so', async () => {
    expect(await read('?page=999')).toContain('PAYROLL LARKSPUR');
    expect(await read('?search=nothing+like+it')).toContain('Nothing found. Clear search');
  });

  it('a search of transactions shows invalid dates beside their fields and stays in the URL', async () => {
    expect(await read('?from=2026-03-12&to=2026-03-01')).toContain('“From” must not be later than “To”.');
    const { html } = await person.get(`/accounts/${checking}?from=2026-03-12&to=2026-03-01`);
    const typed = /name="from" value="([^"]*)".*?name="to" value="([^"]*)"/.exec(html.split('id="transactions"')[1]!);
    expect(typed?.slice(1)).toEqual(['2026-03-12', '2026-03-01']);
    expect(await read('?from=garbage')).toContain('Enter valid dates.');
    const { headers } = await person.get(`/accounts/${checking}/transactions?search=rent&from=2026-03-01`);
    expect(headers.get('hx-replace-url')).toBe(`/accounts/${checking}?search=rent&from=2026-03-01&page=1`);
  });

  it('a search of transactions keeps the settings of the chart in the URL', async () => {
    const kept = 'range=year';
    const { headers } = await person.get(`/accounts/${checking}/transactions?${kept}&search=rent&page=1`);
    expect(headers.get('hx-replace-url')).toBe(`/accounts/${checking}?${kept}&search=rent&page=1`);
    const { html } = await person.get(`/accounts/${checking}?${kept}&search=nothing+like+it`);
    expect(html).toContain('<input type="hidden" name="range" value="year"');
    expect(html).toContain(`href="/accounts/${checking}?range=year&amp;page=1#transactions">Clear search`);
  });

  it('the search of transactions finds those of all accounts, each with its account', async () => {
    const find = async (query: string) => (await person.get(`/transactions${query}`)).text;
    expect(await find('?search=larkspur')).toMatch(/1 transaction found .*Larkspur PAYROLL LARKSPUR Everyday/);
    expect(await find('/transactions?search=nobody')).toContain('Nothing found.');
    expect(await find('?pending=true')).toContain('CITY TRANSIT');
  });

  it.each([
    ['search=larkspur', '1 transaction found', 'Larkspur'],
    ['search=rent', '1 transaction found', 'MAPLE COURT RENT'],
    ['from=2026-03-09&to=2026-03-12', '2 transactions found', 'Kiosk Other currency, not part of the balance'],
    ['search=100%25', 'Nothing found.', ''],
  ])('transactions are found by %s, on the whole page and in its updated part', async (query, count, row) => {
    for (const text of [await read(`?${query}`), await read(`/transactions?${query}`)]) {
      expect(text).toContain(count);
      expect(text).toContain(row);
    }
  });

  it('the list of transactions has pages that keep the search', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => transaction('2026-03-10', -100 - i, { description: 'Coffee' }));
    const id = await write(snapshotAccount({ name: 'Coffees', balance: balance(0), transactions: rows }));
    const { html, text } = await person.get(`/accounts/${id}?search=coffee`);
    expect(text).toContain('Page 1 of 2 Older →');
    const [, next = ''] = /href="([^"]+page=2)#transactions"/.exec(html) ?? [];
    expect((await person.get(next.replaceAll('&amp;', '&'))).text).toContain('← Newer Page 2 of 2');
  });

  it('the page of an account lists holdings with quantity, value and share', async () => {
    const holdings = { ...AVAILABLE, items: [FUND] };
    const more = { name: 'Brokerage', suggestedType: 'investment', balance: balance(100_000), holdings } as const;
    const id = await write(snapshotAccount({ ...more, transactions: [transaction('2026-03-02', 100_000)] }));
    const text = await read('', id);
    expect(text).toMatch(
      /Quantity Price Value Share HTMX Total Market 10 × \$75\.00 10 \$75\.00 \$750\.00 75\.0% Cash and unlisted holdings \$250\.00 25\.0% Total \$1,000\.00 100\.0%/,
    );
    expect(text).toMatch(/Cash Holdings Total Start .* End \$250\.00 \$750\.00 \$1,000\.00/);
  });

  it('the page of an account warns if the total of the provider differs from the sum of the holdings', async () => {
    const pageWith = async (total: SnapshotMoney) => {
      const holdings = { ...AVAILABLE, items: [FUND], total };
      const more = { name: 'Totals', suggestedType: 'investment', balance: balance(100_000), holdings } as const;
      return read('', await write(snapshotAccount(more)));
    };
    const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' });
    expect(await pageWith(usd(80_000))).toContain(
      'The provider reports a total of $800.00, $50.00 more than these holdings add up to.',
    );
    for (const same of [75_000, 100_000]) expect(await pageWith(usd(same))).not.toContain('The provider reports a');
    const converted = await pageWith({ amountMinor: 69_000, currency: 'EUR' });
    expect(converted).toContain('The provider’s own total, with its exchange rates: €690.00');
  });

  it('the page of an account lists the most valuable holdings and sums up the others', async () => {
    const items = Array.from({ length: 203 }, (_, i) => {
      return { ...FUND, externalId: `H-${i}`, symbol: null, name: `Fund ${i}`, price: null, valueMinor: 2_000 - i };
    });
    const more = { name: 'Collection', suggestedType: 'investment', balance: balance(400_000) } as const;
    const text = await read('', await write(snapshotAccount({ ...more, holdings: { ...AVAILABLE, items } })));
    expect(text).toMatch(/Fund 199 10 10 \$18\.01 0\.5% 3 more holdings \$53\.97 1\.3% Cash and unlisted holdings/);
    expect(text).not.toContain('Fund 200');
  });

  it('the page of an account of which one day is known says since when, and gives no reasons', async () => {
    const id = await write(snapshotAccount({ name: 'Fund', suggestedType: 'investment', balance: balance(7_999_716) }));
    for (const range of ['', '?range=1y']) {
      const text = await read(range, id);
      expect(text).toContain('Its balance is known since 15 Mar 2026. Why it changed is shown from the next day on.');
      expect(text).not.toContain('How the period began');
    }
  });

  it('the page of a debt shows what is owed, what was overpaid, and nothing where it is unknown', async () => {
    const card = (more: object) => write(snapshotAccount({ name: 'Card', suggestedType: 'credit_card', ...more }));
    expect(await read('', await card({ balance: balance(-2_000) }))).toContain('$20.00 owed');
    expect(await read('', await card({ balance: balance(2_000) }))).toContain(' $20.00 in credit');
    expect(await read('', await card({}))).not.toContain('owed');
  });

  it('the page of a debt colours charges as what makes it worse, and payments as what makes it better', async () => {
    const transactions = [transaction('2026-03-10', -5_000), transaction('2026-03-12', 2_000)];
    const card = { name: 'Card', suggestedType: 'credit_card', balance: balance(-4_000), transactions } as const;
    const { html } = await person.get(`/accounts/${await write(snapshotAccount(card))}`);
    const looks = html.matchAll(/<th scope="row">(Charges|Payments)<\/th>\s*<td>\s*<svg[^>]*>\s*<rect class="(\w*)"/g);
    expect(Array.from(looks, ([, label, look]) => [label, look])).toEqual([
      ['Charges', 'fell'],
      ['Payments', 'grew'],
    ]);
  });

  it('the page of an account does not sum holdings of another currency to zero', async () => {
    const holdings = { ...AVAILABLE, items: [{ ...FUND, currency: 'EUR' }] };
    const more = { name: 'Abroad', suggestedType: 'investment', holdings } as const;
    const earlier = { amountMinor: 100_000, availableMinor: null, date: '2026-03-01' };
    const id = await write(snapshotAccount({ ...more, balance: earlier }));
    expect(await read('', id)).toMatch(/HTMX Total Market Other currency, not in the total .*€750\.00 – Transactions/);
  });

  it('the balance reports of an account have pages', async () => {
    const id = await write(snapshotAccount({ name: 'Often reported', balance: balance(5_000) }));
    await test.em().execute(
      `insert into observations (user_id, account_id, observed_at, day, currency, balance_minor, pending_minor,
         has_holdings, digest)
       select user_id, account_id, observed_at - n * interval '1 hour', (observed_at - n * interval '1 hour')::date,
         currency, balance_minor, pending_minor, has_holdings, digest || n
       from observations, generate_series(1, 100) n where account_id = ?`,
      [id],
    );
    const first = await read('/reconciliation', id);
    const last = await read('/reconciliation?page=2', id);
    const reports = (text: string) => text.match(/ \d{4}, \d\d:\d\d /g)?.length;
    expect([reports(first), reports(last)]).toEqual([100, 1]);
    expect(first).toContain('Page 1 of 2 Older →');
    expect(await read('/reconciliation?page=99', id)).toBe(last);
  });

  it('the page of an account says that holdings are unavailable', async () => {
    const id = await write(snapshotAccount({ name: 'Pension', suggestedType: 'investment', balance: balance(100) }));
    expect(await read('', id)).toContain('Not available: this provider');
    expect(await read()).not.toContain('Holdings');
  });

  it('the page of an account explains an unreconciled difference in words and draws it in the chart', async () => {
    const snapshot = snapshotAccount({ name: 'Odd', balance: balance(10_000), transactions: [BOOKED[0]!] });
    const id = await write(snapshot);
    test.clock.set('2026-03-16T12:00:00Z');
    await write({ ...snapshot, balance: balance(12_500) });
    test.clock.set('2026-03-15T12:00:00Z');
    const { text } = await person.get(`/accounts/${id}/reconciliation`);
    expect(text).toMatch(/\+\$25\.00.* \$100\.00 \$100\.00 \$0\.00/);
    expect((await person.get(`/accounts/${id}`)).html).toContain('"text":"Adjustment +$25.00"');
    const bands = (await person.get(`/accounts/${id}`)).html.match(/class="band"/g);
    expect(bands).toHaveLength(1);
    const day = async (date: string) => (await person.get(`/accounts/${id}/day?day=${date}`)).text;
    expect(await day('2026-03-15')).toContain('for this day. The other one is $125.00.');
    expect(await day('2026-03-16')).toMatch(/Reported by the bank\.(?!.*The other one)/);
    expect((await person.get(`/accounts/${id}/balances`)).text).not.toMatch(/16 Mar 2026 Estimated/);
    const part = await person.get(`/accounts/${id}/reconciliation`, { 'hx-request': 'true' });
    expect(part.html).toMatch(/^<div class="stack">/);
  });

  it('the page of an account says that bank and transactions agree only if every balance report does', async () => {
    const report = async (snapshot: SnapshotAccount, balances: Record<string, number>) => {
      let id = '';
      for (const [day, amountMinor] of Object.entries(balances)) {
        test.clock.set(`${day}T12:00:00Z`);
        const transactions = snapshot.transactions.filter(({ date }) => date <= day);
        id = await write({ ...snapshot, balance: balance(amountMinor), transactions });
      }
      const text = await read('/reconciliation', id);
      test.clock.set('2026-03-15T12:00:00Z');
      return text;
    };
    const still = { '2026-03-15': 10_000, '2026-03-16': 10_000 };
    const agreed = await report(snapshotAccount({ name: 'Agreed', transactions: [BOOKED[0]!] }), still);
    expect(agreed).toContain('The bank and its transactions agree in both reports so far.');
    const later = { '2026-03-19': -1_000, '2026-03-21': -500, '2026-03-30': -100 };
    const transactions = Object.entries(later).map(([day, amountMinor]) => transaction(day, amountMinor));
    const adjusted = await report(snapshotAccount({ name: 'Adjusted', transactions: [BOOKED[0]!, ...transactions] }), {
      ...still,
      ...{ '2026-03-17': 12_500, '2026-03-18': 12_500, '2026-03-20': 11_500 },
      ...{ '2026-03-22': 11_000, '2026-04-04': 10_900 },
    });
    expect(adjusted).toMatch(/On 17 March 2026 .* which no transaction explains/);
    expect(adjusted).not.toContain('agree');
    expect(adjusted).toContain('No difference is open. The history has adjustments for earlier ones.');
    const house = snapshotAccount({ name: 'House', suggestedType: 'property' });
    const valued = await report(house, { '2026-03-15': 10_000_000, '2026-03-16': 11_000_000 });
    expect(valued).not.toContain('agree');
    expect(valued).toContain('This history comes straight from the reported values.');
  });

  it('the page of a closed account does not say that its bank never reported a balance', async () => {
    const id = await write(snapshotAccount({ name: 'Old', balance: balance(100), transactions: [BOOKED[0]!] }));
    const closed = { include_in_net_worth: 'on', closed_on: BOOKED[0]!.date };
    expect((await person.submit(`/accounts/${id}/life`, closed, `/accounts/${id}`)).status).toBe(303);
    const { text } = await person.get(`/accounts/${id}/reconciliation`);
    expect(text).toContain('The bank reported no balance to compare with.');
  });

  it('the page of an account in an unsupported currency does not say that it agrees with its bank', async () => {
    const id = await write(snapshotAccount({ name: 'Points', currency: 'https://bank.example/miles' }));
    const { text } = await person.get(`/accounts/${id}/reconciliation`);
    expect(text).not.toContain('agree');
    expect(text).toContain('Tidemark does not support the currency of this account');
  });

  it('the form of an account saves a new name and type, and shows errors beside the fields', async () => {
    const id = await write(snapshotAccount({ name: 'Old name', balance: balance(10_000) }));
    const edit = (name: string, account_type: string) =>
      person.submit(`/accounts/${id}`, { name, account_type }, `/accounts/${id}`);
    const refused = await edit(' ', 'depository');
    expect([refused.status, refused.html.includes('id="name-error"')]).toEqual([422, true]);
    await edit('Car loan', 'loan');
    expect(await read('', id)).toMatch(/Car loan Test bank · Loan · USD/);
  });

  describe('page of a transaction', () => {
    const rows = [transaction('2026-03-02', -2_100, { description: 'DINNER' }), transaction('2026-03-03', 90_000)];
    let id: string;

    beforeAll(async () => {
      id = await write(snapshotAccount({ name: 'Corrected', balance: balance(100_000), transactions: rows }));
    });

    const pageOf = async (name: string) =>
      new RegExp(`href="(/transactions/[^"]+)">\\s*${name}`).exec((await person.get(`/accounts/${id}`)).html)![1]!;
    const edit = async (page: string, fields: Record<string, string>) =>
      person.submit(page, { date: '2026-03-02', amount: '-21.00', note: '', ...fields });

    it('the page of a transaction corrects it, shows what the bank lists beside it, and takes it back', async () => {
      const page = await pageOf('DINNER');
      const { html, text } = await person.get(page);
      expect(text).toContain('The bank lists −$21.00 on 2 Mar 2026.');
      expect(html).not.toContain('Take back');
      expect((await edit(page, { date: '2026-03-01', amount: '-12.00', note: 'Too much' })).status).toBe(303);
      const after = (await person.get(page)).text;
      expect(after).toMatch(
        /DINNER.*−\$12\.00 1 Mar 2026 Corrected The bank lists −\$21\.00 on 2 Mar 2026\. Take back/,
      );
      expect(await read('', id)).toMatch(/1 Mar 2026 DINNER Corrected “Too much” −\$12\.00/);
      await edit(page, { amount: '-12.00', note: 'Too much', excluded: 'on' });
      expect(await read('', id)).toMatch(/DINNER Left out “Too much” −\$12\.00/);
      expect((await person.submit(`${page}/undo`, {}, page)).status).toBe(303);
      expect(await read('', id)).toMatch(/2 Mar 2026 DINNER −\$21\.00/);
    });

    it('a correction on the page that is as listed corrects nothing', async () => {
      const page = await pageOf('DINNER');
      await edit(page, {});
      expect((await person.get(page)).html).not.toContain('Take back');
    });

    it('the page of a transaction shows errors beside its fields', async () => {
      const page = await pageOf('DINNER');
      const { status, html } = await edit(page, { date: '2027-01-01', amount: 'much' });
      expect([status, html.includes('id="date-error"'), html.includes('id="amount-error"')]).toEqual([422, true, true]);
    });

    it('a missing transaction can be added on the page of its account, changed and deleted', async () => {
      const add = (fields: Record<string, string>) =>
        person.submit(`/accounts/${id}/add-transaction`, { date: '2026-03-05', ...fields }, `/accounts/${id}`);
      const refused = await add({ amount: '', description: ' ' });
      expect([refused.status, refused.html.includes('id="added-amount-error"')]).toEqual([422, true]);
      expect((await add({ amount: '-3.50', description: 'Kiosk', note: 'Cash' })).status).toBe(303);
      expect(await read('', id)).toMatch(/5 Mar 2026 Kiosk Added by you “Cash” −\$3\.50/);
      const page = await pageOf('Kiosk');
      await person.submit(page, { date: '2026-03-04', amount: '-3.60', note: 'Cash' });
      expect(await read('', id)).toMatch(/4 Mar 2026 Kiosk Added by you “Cash” −\$3\.60/);
      expect((await person.submit(`${page}/delete`, {}, page)).headers.get('location')).toContain(`/accounts/${id}`);
      expect(await read('', id)).not.toContain('Kiosk');
      expect((await person.get(page)).status).toBe(404);
    });
  });

  it('the page of a pending transaction marks it', async () => {
    const [, page] = /href="(\/transactions\/[^"]+)">\s*CITY TRANSIT/.exec(
      (await person.get(`/accounts/${checking}`)).html,
    )!;
    expect((await person.get(page!)).text).toMatch(/−\$2\.75 14 Mar 2026 Pending Edit/);
  });

  it('the page of an unknown account id is 404', async () => {
    expect((await person.get('/accounts/nonsense')).status).toBe(404);
    expect((await person.get('/accounts/00000000-0000-4000-8000-000000000000')).status).toBe(404);
  });
});
