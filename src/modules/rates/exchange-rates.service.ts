import { readFile, stat } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { z } from 'zod';
import {
  absolutePath,
  addDays,
  type CalendarDate,
  Clock,
  Config,
  DAY_MS,
  EntityManager,
  ExchangeRates,
  type KnownRates,
  settingsOf,
  VERSION,
  type WantedRates,
} from '../../kit.js';
import { euroRate, MAX_CARRIED_DAYS } from './euro-rates.js';
import { type DayOfRates, MAX_FILE_BYTES, RatesFileError, readRates, tooLarge } from './read-rates.js';

const isAddress = (text: string) => /^https?:\/\//i.test(text);

export const RATES_SETTINGS = z.object({
  RATES_URL: z
    .string()
    .transform((text) => (isAddress(text) ? text : absolutePath.parse(text)))
    .prefault('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip')
    .describe(
      'Where reference rates for one euro come from: the history of the European Central Bank, a copy of it, or the path of a file of the same form (CSV, or a zip with it). Nothing is fetched before somebody asks for net worth in one currency.',
    ),
});

interface Tables {
  exchange_rates: { date: CalendarDate; rates: Record<string, string> };
}

/** For the whole file. Who asks waits for it. */
const TIMEOUT_MS = 10_000;
/** Between two tries, of which the first may have brought nothing new. */
const PAUSE_MS = 15 * 60_000;
/** The European Central Bank publishes at about 16:00 in Frankfurt. */
const PUBLISHED_HOUR_UTC = 16;

/** Reference rates: fetched when they are first asked for, and then when newer ones must have been published. */
@Injectable()
export class ExchangeRatesService extends ExchangeRates {
  readonly #log = new Logger('Rates');
  readonly #source: string;
  #fetching: Promise<void> | null = null;
  #triedAt = -Infinity;
  #problem: string | null = null;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    config: Config,
  ) {
    super();
    this.#source = settingsOf(config, RATES_SETTINGS).RATES_URL;
  }

  async read({ from, into, firstDay, lastDay }: WantedRates): Promise<KnownRates> {
    await this.#update();
    const known = this.em.getKysely<Tables>().selectFrom('exchange_rates');
    const newest = await this.#newestDay();
    const days = await known
      .select([
        sql<CalendarDate>`date::text`.as('date'),
        sql<DayOfRates['rates']>`(
          select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(rates) where key = any(${[...from, into]})
        )`.as('rates'),
      ])
      .where('date', '>=', addDays(firstDay, -MAX_CARRIED_DAYS))
      .where('date', '<=', lastDay)
      .orderBy('date')
      .execute();
    return {
      asOf: newest,
      problem: newest !== null && newest >= this.#lastPublication() ? null : this.#problem,
      rateOf: (currency, day) => euroRate(days, currency, into, day),
    };
  }

  /** Fetches the file if it must have newer rates than are stored. Of several callers one does it, for all. */
  async #update(): Promise<void> {
    const now = this.clock.now().getTime();
    if (!this.#fetching && Math.abs(now - this.#triedAt) < PAUSE_MS) return;
    const newest = await this.#newestDay();
    if (newest !== null && newest >= this.#lastPublication()) return;
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = null));
    this.#triedAt = now;
    await this.#fetching;
  }

  async #fetch(): Promise<void> {
    try {
      await this.#store(await readRates(await readSource(this.#source)));
      this.#problem = null;
    } catch (error) {
      this.#problem = problemOf(error);
      this.#log.warn(`The exchange rates ${this.#problem}. See RATES_URL.`);
    }
  }

  /** A day that is published again replaces its row; a day that the file no longer has stays. */
  async #store(days: readonly DayOfRates[]): Promise<void> {
    const rows = days.map(({ date, rates }) => ({ date, rates: JSON.stringify(rates) }));
    const columns = [rows.map(({ date }) => date), rows.map(({ rates }) => rates)];
    await sql`
      insert into exchange_rates (date, rates) select * from unnest(${columns[0]}::date[], ${columns[1]}::jsonb[])
      on conflict (date) do update set rates = excluded.rates where exchange_rates.rates <> excluded.rates
    `.execute(this.em.getKysely());
  }

  async #newestDay(): Promise<CalendarDate | null> {
    const newest = sql<CalendarDate | null>`max(date)::text`.as('date');
    const [row] = await this.em.getKysely<Tables>().selectFrom('exchange_rates').select(newest).execute();
    return row?.date ?? null;
  }

  /** The last working day whose rates have been published. On a holiday of the banks there are none, and one try too many. */
  #lastPublication(): CalendarDate {
    const moment = new Date(this.clock.now().getTime() - PUBLISHED_HOUR_UTC * 3_600_000);
    const weekend = { 0: 2, 6: 1 }[moment.getUTCDay()] ?? 0;
    return new Date(moment.getTime() - weekend * DAY_MS).toISOString().slice(0, 10);
  }
}

/** @throws RatesFileError, and the errors of file and network */
async function readSource(source: string): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (!isAddress(source)) {
    const found = await stat(source);
    if (!found.isFile()) throw new RatesFileError('is no file');
    if (found.size > MAX_FILE_BYTES) throw tooLarge();
    return readFile(source, { signal });
  }
  const headers = { 'User-Agent': `Tidemark/${VERSION}` };
  const response = await fetch(source, { signal, headers, redirect: 'error' });
  if (!response.ok) throw new RatesFileError(`was answered with status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    if ((bytes += chunk.length) > MAX_FILE_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** After “The exchange rates”. */
function problemOf(error: unknown): string {
  const { name, code, cause } = error as Error & { code?: string; cause?: { code?: string } };
  if (name === 'TimeoutError') return `did not come within ${TIMEOUT_MS / 1000} s`;
  if (error instanceof RatesFileError) return `cannot be read: their file ${error.message}`;
  return `cannot be fetched (${cause?.code ?? code ?? name})`;
}
