import type { SnapshotAccount } from '../../src/providers/bank-provider.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { type ChartData, chartIn } from '../support/chart-data.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { Visitor } from '../../src/kit/visitor.js';

/** Securities worth so much. */
function worth(valueMinor: number): Pick<SnapshotAccount, 'holdings'> {
  const fund = { externalId: 'H-1', symbol: 'HTMX', name: 'Total Market', quantity: '10', currency: 'USD' };
  const item = { ...fund, valueMinor, costBasisMinor: null, price: null, cashEquivalent: false };
  return { holdings: { status: 'available', items: [item], total: null } };
}

describe('chart of an account page', () => {
  let test: TestApp;
  let person: Visitor;
  let brokerage: string;

  beforeAll(async () => {
    test = await startTestApp();
    person = new Visitor(test.url);
    await person.signUp();
    const [user]: { id: string }[] = await test.em().execute('select id from users');
    const connection = await createConnection(test, user!.id);
    // $1,000 of cash and $500 of a fund on the 10th. $200 come in on the 11th. The fund is worth $530 on the 12th, and
    // $490 on the 13th, when $60 go out.
    const deposits = [transaction('2026-03-10', 10_000), transaction('2026-03-11', 20_000)];
    const first = snapshotAccount({ name: 'Brokerage', suggestedType: 'investment', transactions: [deposits[0]!] });
    const at = async (
      day: string,
      amountMinor: number,
      value: number,
      transactions: SnapshotAccount['transactions'],
    ) => {
      test.clock.set(`${day}T12:00:00Z`);
      const snapshot = { ...first, balance: balance(amountMinor), ...worth(value), transactions };
      ({ accountId: brokerage } = await writeSnapshot(test, connection, snapshot));
    };
    await at('2026-03-10', 150_000, 50_000, [deposits[0]!]);
    await at('2026-03-12', 173_000, 53_000, deposits);
    await at('2026-03-13', 163_000, 49_000, [...deposits, transaction('2026-03-13', -6_000)]);
  });
  afterAll(() => test.stop());

  async function chart(query: string, isDrawn = true): Promise<{ data: ChartData | null; text: string }> {
    const { html, text } = await person.get(`/accounts/${brokerage}?${query}`);
    return { data: isDrawn ? chartIn(html) : null, text };
  }

  it('the chart draws the balance, and below it stands what changed it', async () => {
    const { data, text } = await chart('');
    expect(data).toMatchObject({
      first: '2026-03-10',
      daysApart: 1,
      values: [150_000, 170_000, 173_000, 163_000],
      start: { day: '2026-03-09', minor: 140_000 },
    });
    expect(text).toMatch(
      /Start \$1,400\.00 Money in \+\$300\.00 Money out −\$60\.00 Market −\$10\.00 Unexplained \$0\.00 End \$1,630\.00/,
    );
  });

  it('the chart says since when market changes are known, and why a part of the line is dashed', async () => {
    expect((await chart('day=2026-03-12')).text).toContain(
      'Market since 10 Mar 2026: nothing was reported in between.',
    );
    expect((await chart('day=2026-03-11')).text).toContain('The bank reported nothing for this day.');
    expect((await person.get(`/accounts/${brokerage}/balances`)).text).toMatch(
      /12 Mar 2026 [^N]* 11 Mar 2026 Not reported/,
    );
    const part = await person.get(`/accounts/${brokerage}/day?day=2026-03-13`);
    expect(part.text).toContain('Market');
    expect(part.text).not.toContain('since');
    expect(part.text).not.toContain('reported nothing');
    expect((await chart('')).text).toContain('The bank reported nothing for these days.');
  });

  it('the chart and its reasons count from the first day of the range', async () => {
    test.clock.set('2026-04-10T12:00:00Z');
    const { data, text } = await chart('range=30d');
    test.clock.set('2026-03-13T12:00:00Z');
    expect(data).toMatchObject({ first: '2026-03-12', start: { day: '2026-03-11', minor: 170_000 } });
    expect(text).toMatch(/Start \$1,700\.00 Money in \$0\.00 Money out −\$60\.00 Market −\$10\.00/);
    expect((await chart('from=2026-03-13&to=2026-03-13', false)).text).toMatch(/Start \$1,730\.00 .* End \$1,630\.00/);
  });

  it('the chart says that a range is empty and links to another one', async () => {
    test.clock.set('2026-09-01T12:00:00Z');
    await person.submit('/sign-in', { email: 'anna@example.com', password: 'correct horse' });
    const { html, text } = await person.get(`/accounts/${brokerage}?range=30d`);
    test.clock.set('2026-03-13T12:00:00Z');
    expect(text).toContain('There are no balances in this range.');
    expect(html).toContain(`href="/accounts/${brokerage}?range=all"`);
  });
});
