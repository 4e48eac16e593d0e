import { pick, randomStream, wholeBetween } from '../../sandbox/random.js';
import { addDays, type CalendarDate, daysBetween } from '../../src/platform/time/calendar-date.js';
import { createClient, startTestApp, type TestApp } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { readBankFile } from '../support/real-bank/bank-file.js';
import { camtText, csvText, ofxText, type WrittenStatement } from '../support/write-statement-files.js';

const TODAY = '2026-03-15';
const FEED_DAYS = 90;

/** Rows whose amounts are what the balance moved by, since the bank printed both in steps of 0.10. */
interface BookRow {
  date: CalendarDate;
  amountMinor: number;
  balanceMinor: number;
  description: string;
}

describe('years of a real bank before its feed, from files', () => {
  let tidemark: TestApp;
  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  afterAll(() => tidemark.stop());

  const books = [...readBankFile('test/data/bank-1993-1994-sample.csv.gz', TODAY)].map(([account, rows]) => ({
    account,
    rows: rows.map(({ date, balanceMinor, kind }, index): BookRow => {
      const amountMinor = balanceMinor - (rows[index - 1]?.balanceMinor ?? 0);
      return { date, amountMinor, balanceMinor, description: `${kind} ${index}` };
    }),
  }));

  it.each(books)('every day of account $account equals what the bank printed', async ({ account, rows }) => {
    const random = randomStream(`import ${account}`);
    const client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const from = addDays(TODAY, -FEED_DAYS);
    const { accountId } = await writeSnapshot(
      tidemark,
      connection,
      snapshotAccount({
        currency: 'CZK',
        balance: balance(rows.at(-1)!.balanceMinor),
        covered: [{ from, until: '9999-12-31' }],
        transactions: rows
          .filter(({ date }) => date >= from)
          .map(({ date, amountMinor, description }) =>
            transaction(date, amountMinor, { currency: 'CZK', description }),
          ),
      }),
    );
    const months = monthsOf(rows, from).map(([first, last]) => statementOf(account, rows, first, last));
    const overlapping = months.map(() => {
      const first = addDays(rows[0]!.date, wholeBetween(random, 0, Math.max(0, daysBetween(rows[0]!.date, from) - 30)));
      const last = rows.find(({ date }) => date >= addDays(first, wholeBetween(random, 20, 70)))?.date ?? from;
      return statementOf(account, rows, first, last < from ? last : from, true);
    });
    const twice = months.filter(() => random() < 0.2);
    const all = [...months, ...overlapping.slice(0, 4), ...twice]
      .filter((statement) => statement.rows.length > 0)
      .map((statement) => ({ statement, at: random() }))
      .sort((a, b) => a.at - b.at);
    const ids: string[] = [];
    for (const { statement } of all) {
      const [name, text] = pick(random, FORMATS)(statement);
      const { body } = await client.upload('/api/v1/imports', { account_id: accountId }, new File([text], name));
      expect(body).toMatchObject({ questions: [], problems: [] });
      ids.push(body.id as string);
      expect((await client.post(`/api/v1/imports/${body.id}/accept`)).body).toMatchObject({ status: 'accepted' });
    }
    const undone = all.flatMap(({ statement }, index) => (overlapping.includes(statement) ? [ids[index]!] : []));
    if (undone.length > 0) expect((await client.delete(`/api/v1/imports/${pick(random, undone)}`)).status).toBe(204);

    const days = await tidemark
      .em()
      .getConnection()
      .execute<{ date: string; end: number }[]>(
        'select date::text, (end_cash + end_non_cash)::float8 as "end" from balances where account_id = ? order by date',
        [accountId],
      );
    const printed = new Map<string, number>();
    let at = 0;
    for (let day = rows[0]!.date, last = 0; day <= TODAY; day = addDays(day, 1)) {
      while (rows[at] && rows[at]!.date <= day) last = rows[at++]!.balanceMinor;
      printed.set(day, last);
    }
    const wrong = days.filter(({ date, end }) => printed.get(date) !== end && date >= rows[0]!.date);
    expect(wrong).toEqual([]);
    expect(days.map(({ date }) => date).filter((date) => date >= rows[0]!.date)).toHaveLength(printed.size);
    const uncertain = await tidemark
      .em()
      .getConnection()
      .execute<{ from: string }[]>('select start_date::text as "from" from uncertain_days where account_id = ?', [
        accountId,
      ]);
    // Today's balance may still include what is listed tomorrow, and nothing proves the days before the first balance.
    const { statements } = (await client.get(`/api/v1/accounts/${accountId}/statements?per_page=100&page=1`)).body;
    const [{ date: first }] = await tidemark
      .em()
      .getConnection()
      .execute<[{ date: string }]>('select min(date)::text as date from stated_balances where account_id = ?', [
        accountId,
      ]);
    expect(statements.filter(({ agrees }: { agrees: boolean | null }) => agrees === false)).toEqual([]);
    expect(uncertain.filter((range) => range.from < TODAY && range.from >= first)).toEqual([]);
  });
});

/** The first and last days of the months from the first row to the feed, whose last day may be half. */
function monthsOf(rows: readonly BookRow[], until: CalendarDate): [CalendarDate, CalendarDate][] {
  const months: [CalendarDate, CalendarDate][] = [];
  for (let first = rows[0]!.date; first < until;) {
    const next = `${first.slice(0, 7)}-01`;
    const [year, month] = next.split('-').map(Number) as [number, number];
    const end = addDays(month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`, -1);
    months.push([first, end]);
    first = addDays(end, 1);
  }
  return months;
}

/** @param isHalf whether it was made in the middle of its last day */
function statementOf(
  account: string,
  rows: readonly BookRow[],
  first: CalendarDate,
  last: CalendarDate,
  isHalf = false,
): WrittenStatement {
  const whole = rows.filter(({ date }) => date >= first && date <= last);
  const ofLast = whole.filter(({ date }) => date === last).length;
  const listed = isHalf ? whole.slice(0, whole.length - Math.ceil(ofLast / 2)) : whole;
  const before = rows.filter(({ date }) => date < first).at(-1)?.balanceMinor ?? 0;
  return {
    account,
    currency: 'CZK',
    rows: listed.map(({ date, amountMinor, description }) => ({
      day: date,
      amountMinor,
      description,
      id: description,
    })),
    opening: { day: first, amountMinor: before },
    closing: { day: last, amountMinor: listed.at(-1)?.balanceMinor ?? before },
  };
}

/** What a person gets from the bank: a name and a text. */
const FORMATS: ((statement: WrittenStatement) => [string, string])[] = [
  (statement) => ['rows.csv', csvText(statement)],
  (statement) => ['rows.ofx', ofxText(statement)],
  (statement) => ['rows.xml', camtText(statement)],
];
