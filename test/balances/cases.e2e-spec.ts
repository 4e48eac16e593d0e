import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '../../src/platform/time/calendar-date.js';
import { type Case, casePlayer } from '../support/play-case.js';

const FOLDER = join(import.meta.dirname, 'cases');

// What people met at real banks, one file each; `support/play-case.ts` describes its members.
const CASES = readdirSync(FOLDER).map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Case);

describe('recorded cases of real banks', () => {
  const playCase = casePlayer();

  it.each(CASES.map((played) => [played.title, played] as const))('%s', async (_, played) => {
    const { net_worth: netWorth, ...must } = played.must;
    expect(await playCase(played)).toMatchObject({ ...must, ...(netWorth && { netWorth }) });
  });

  it('transactions are fetched again once, with a warning, when a feed changes from times to days, and keep their rows', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => {
      const day = addDays('2026-10-26', index);
      const written = index < 20 ? `${addDays(day, 1)}T01:30Z` : `${day}T00:00Z`;
      return { id: `R${index}`, posted: `@${written}`, amount: '-1.00', description: day };
    });
    const steps = [20, 29, 30, 30].map((count, index) => {
      const at = `2026-11-${25 + index}T20:00:00Z`;
      const account = { id: 'ACT-1', name: 'Checking', currency: 'USD', balance: '100.00', 'balance-date': `@${at}` };
      return { at, serve: { errors: [], accounts: [{ ...account, transactions: rows.slice(0, count) }] } };
    });
    const played = { provider: 'us_provider', time_zone: 'America/Los_Angeles', steps, must: {} };
    const { syncs, dates } = await playCase(played);
    expect(Object.entries(dates).filter(([description, day]) => description !== day)).toEqual([]);
    const told = { message: expect.stringContaining('now reports the days of transactions in place of their times') };
    const counts = (added: number, updated: number) => {
      return { counts: { transactions_added: added, transactions_updated: updated, transactions_removed: 0 } };
    };
    expect(syncs).toMatchObject([
      { problems: [], ...counts(20, 0) },
      { problems: [], ...counts(9, 0) },
      { problems: [told], ...counts(1, 9) },
      { problems: [], ...counts(0, 0) },
    ]);
  });
});
