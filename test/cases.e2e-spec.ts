import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, casePlayer } from './support/play-case.js';

const FOLDER = join(import.meta.dirname, 'cases');

// What people met at real banks, one file each; `support/play-case.ts` describes its members.
const CASES = readdirSync(FOLDER).map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Case);

describe('an account at a bank', () => {
  const playCase = casePlayer();

  it.each(CASES.map((played) => [played.title, played] as const))('%s', async (_, played) => {
    const { net_worth: netWorth, ...must } = played.must;
    expect(await playCase(played)).toMatchObject({ ...must, ...(netWorth && { netWorth }) });
  });
});
