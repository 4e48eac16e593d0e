import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { addDays, DAY_MS } from '../../src/platform/time/calendar-date.js';
import { userOf } from '../support/instant-bank.js';
import { noon, wireAccount, wireSet, wireTransaction } from '../support/scripted-us-provider.js';
import { lostObservations, storedObservations } from '../support/stored-observations.js';
import { type Drill, ExpectationNotMetError, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { Person } from './harness/person.js';
import type { DrillPostgres } from './harness/postgres.js';
import type { DrillService } from './harness/service.js';
import { pause, until } from './harness/waiting.js';

const MINUTES = Number(process.env['DRILL_MINUTES'] ?? 2);
const SEED = Number(process.env['DRILL_SEED'] ?? Date.now() % 1_000_000);
const INSTANCES = 2;
/** After so many syncs another person connects, because histories of thousands of reports take long to derive. */
const SYNCS_OF_PERSON = 60;
const BETWEEN_SYNCS_MS = 1_000;
/** How far a clock may be off, in days. Old reports are not folded before 90 days. */
const MOST_DAYS = 40;
/** In how many of a hundred steps an instance is killed with kill -9, or stopped in order, and starts with another clock. */
const KILLED_PERCENT = 8;
const STOPPED_PERCENT = 4;
/** A dead worker is noticed after 15 s, and the same run may meet several kills. */
const SYNC_MS = 180_000;
const SETTINGS = { CLOCK_CHECK: 'off', LOG_LEVEL: 'error', MAX_CONNECTIONS_PER_PERSON: '10000' };
const MOVED_CLOCK = pathToFileURL('test/drills/harness/moved-clock.mjs').href;

/** From 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A bank whose balances and transactions change between two syncs, the same for all its users. */
class ChangingBank {
  readonly #today = new Date().toISOString().slice(0, 10);
  #cents = 100_000;
  #serial = 0;
  #rows: object[] = [];

  constructor(private readonly random: () => number) {}

  change(): void {
    const drawn = this.random();
    if (drawn < 0.4) this.#cents += Math.floor(this.random() * 20_000) - 10_000;
    const day = addDays(this.#today, -Math.floor(this.random() * 20));
    const amount = (-this.random() * 100).toFixed(2);
    if (drawn < 0.7) this.#rows = [...this.#rows.slice(-30), wireTransaction(`T-${++this.#serial}`, day, amount)];
    else if (drawn < 0.8) this.#rows = this.#rows.slice(0, -1);
    else if (drawn < 0.9 && this.#rows.length > 0) {
      const [first, ...others] = this.#rows;
      this.#rows = [{ ...first, description: `CORRECTED ${++this.#serial}` }, ...others];
    }
  }

  answer(user: string): object {
    const balance = (this.#cents / 100).toFixed(2);
    const shown = { balance, 'balance-date': noon(this.#today) };
    const lot = { id: 'HOL-1', symbol: 'NQTX', shares: '10', market_value: balance, currency: 'USD' };
    return wireSet([
      wireAccount({ ...shown, id: `${user}-1`, transactions: this.#rows }),
      wireAccount({ ...shown, id: `${user}-2`, name: 'Brokerage', holdings: [lot] }),
    ]);
  }
}

export const drill: Drill = {
  name: 'wrong-clocks',
  expectation:
    'While instances with clocks up to 40 days off that do not check them sync in turn, and are killed and started again, no stored balance report, holding, transaction or version changes or vanishes.',
  sentence: 24,
  isOptional: true,
  timeoutMs: MINUTES * 60_000 + 600_000,
  async run(context) {
    const random = randomOf(SEED);
    const postgres = await context.startPostgres();
    const client = await postgres.connect();
    const server = await context.startBank(1);
    const bank = new ChangingBank(random);
    server.play((request) => ({ body: bank.answer(userOf(request)) }));
    const reader = await context.startService(postgres, { ...SETTINGS, ROLE: 'api' });
    const person = await Person.signUp(reader);
    const instances = await Promise.all(
      Array.from({ length: INSTANCES }, () => startWithClock(context, postgres, random)),
    );
    const count = { syncs: 0, killed: 0, stopped: 0, failed: 0 };
    const startedAt = performance.now();
    let connection = '';
    let stored = new Set<string>();
    let minute = 0;
    const figure = () =>
      `seed ${SEED}: ${count.syncs} syncs, ${count.failed} of them failed, ${count.killed} instances killed, ` +
      `${count.stopped} stopped; ${stored.size} observations stored`;
    while (performance.now() - startedAt < MINUTES * 60_000) {
      bank.change();
      await client.query('delete from provider_requests');
      const place = Math.floor(random() * INSTANCES);
      const drawn = random() * 100;
      const there = person.elsewhere(instances[place]!);
      const sync =
        count.syncs % SYNCS_OF_PERSON === 0
          ? await begin(there, server.setupToken(`user-${count.syncs}`), (id) => (connection = id))
          : await again(there, connection);
      if (drawn < KILLED_PERCENT + STOPPED_PERCENT) {
        const isKilled = drawn < KILLED_PERCENT;
        await pause(random() * 500);
        if (isKilled) await instances[place]!.process.kill();
        else await instances[place]!.stopWithin(60_000);
        count[isKilled ? 'killed' : 'stopped']++;
        instances[place] = await startWithClock(context, postgres, random);
      }
      const status = await syncEnded(client, sync);
      count.syncs++;
      if (status === 'failed') count.failed++;
      stored = await compare(client, stored, figure);
      const minutes = Math.floor((performance.now() - startedAt) / 60_000);
      if (minutes > minute) context.progress(`minute ${(minute = minutes)} of ${MINUTES}: ${figure()}`);
      await pause(BETWEEN_SYNCS_MS);
    }
    const { rows } = await client.query<{ days: number }>('select count(distinct day)::int as days from observations');
    const { days } = rows[0]!;
    return judge(`${figure()}, of ${days} days by their clocks`, {
      'clocks were moved': days > 1,
      'syncs succeeded': count.syncs > count.failed * 2,
      'observations were stored': stored.size > count.syncs,
    });
  },
};

function startWithClock(context: DrillContext, postgres: DrillPostgres, random: () => number): Promise<DrillService> {
  const days = Math.round((random() * 2 - 1) * MOST_DAYS);
  return context.startService(postgres, {
    ...SETTINGS,
    CLOCK_AHEAD_MS: String(days * DAY_MS),
    NODE_OPTIONS: `--import=${MOVED_CLOCK}`,
  });
}

/** @returns the id of the first sync */
async function begin(person: Person, setupToken: string, made: (id: string) => void): Promise<string> {
  const { status, text } = await person.send('POST', '/api/v1/connections', {
    ...{ provider: 'us_provider', setup_token: setupToken, history_days: 60 },
  });
  if (status !== 201) throw new Error(`connecting was answered ${status}: ${text}`);
  const { id, latest_sync_id } = JSON.parse(text) as { id: string; latest_sync_id: string };
  made(id);
  return latest_sync_id;
}

async function again(person: Person, connection: string): Promise<string> {
  const { status, text } = await person.syncNow(connection);
  if (status !== 202 && status !== 201 && status !== 200) throw new Error(`a sync was answered ${status}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

/** Asks the database, because the instance that took the request may be gone. @returns the status */
function syncEnded(client: pg.Client, sync: string): Promise<string> {
  const ended = `select status from sync_runs where id = $1 and status not in ('queued', 'running')`;
  const look = async () => (await client.query<{ status: string }>(ended, [sync])).rows[0]?.status ?? null;
  return until(look, 'the sync has ended', SYNC_MS);
}

/** @throws ExpectationNotMetError when an observation was changed or lost */
async function compare(client: pg.Client, before: Set<string>, figure: () => string): Promise<Set<string>> {
  const after = await storedObservations(async (statement) => (await client.query<{ line: string }>(statement)).rows);
  const lost = lostObservations(before, after);
  if (lost.length === 0) return after;
  throw new ExpectationNotMetError(`${lost.length} observations changed or vanished, such as ${lost[0]}; ${figure()}`);
}
