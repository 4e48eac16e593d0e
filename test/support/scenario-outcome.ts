import { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import { type BankProvider, UNLIMITED } from '../../src/providers/bank-provider.js';
import { ProviderError } from '../../src/providers/provider-error.js';
import { ProviderHttp } from '../../src/providers/http/provider-http.js';
import type { Secret } from '../../src/platform/config/secret.js';
import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import { type CoveredDays, withDays } from '../../src/platform/time/covered-days.js';

/** Two days on which a connection is synced. */
const DAYS: readonly CalendarDate[] = ['2026-03-15', '2026-03-16'];
const HISTORY_FROM: CalendarDate = '2026-01-10';

export const RULES = { allowedHosts: ['127.0.0.1'], allowPrivateNetwork: true };

/** A provider's clock, which the sandbox shares with the client. */
export class SandboxDay {
  today: CalendarDate = DAYS[0]!;
  readonly #waiting = new Set<AbortController>();

  /** Without waits before retries, without a log. */
  http(): ProviderHttp {
    Logger.overrideLogger(false);
    const now = () => new Date(`${this.today}T12:00:00Z`);
    const deadline = () => {
      const waiting = new AbortController();
      this.#waiting.add(waiting);
      return waiting.signal;
    };
    return new ProviderHttp(new HttpService(), { rules: RULES, now, deadline, wait: () => Promise.resolve() });
  }

  /** The time of every request is up when the sandbox leaves one without an answer, and never else: no clock is asked. */
  readonly timeIsUp = () => {
    for (const waiting of this.#waiting) waiting.abort();
    this.#waiting.clear();
  };

  /**
   * What comes of connecting, of the first sync and of the one on the next day, each in a few words: "6/6" accounts that
   * are complete and have a balance, with the kinds of the problems, or the kind of the failure.
   *
   * @param connected what happens between connecting and the first sync
   */
  async outcome(provider: BankProvider, pasted: Secret, connected?: () => Promise<unknown>): Promise<string> {
    this.today = DAYS[0]!;
    try {
      const credential = await provider.connect(pasted);
      await connected?.();
      const covered = new Map<string, CoveredDays>();
      const words: string[] = [];
      for (const day of DAYS) words.push(await this.#sync(provider, credential, covered, day));
      return words.join(', then ');
    } catch (error) {
      return `not connected: ${kindOf(error)}`;
    }
  }

  async #sync(provider: BankProvider, credential: Secret, covered: Map<string, CoveredDays>, day: CalendarDate) {
    this.today = day;
    const request = { credential, today: day, historyFrom: HISTORY_FROM, covered, includePending: true };
    const rest = {
      withoutHoldings: new Set<string>(),
      budget: UNLIMITED,
      renewCredential: () => Promise.resolve(),
      onProgress: () => undefined,
    };
    const { signal } = new AbortController();
    try {
      const { accounts, problems } = await provider.fetchSnapshot({ ...request, ...rest, signal });
      const whole = accounts.filter((account) => {
        const [days, gap] = account.covered.reduce(withDays, covered.get(account.externalId) ?? []);
        return account.covered.length > 0 && (days!.from ?? '') <= HISTORY_FROM && !gap;
      });
      for (const { externalId } of whole) covered.set(externalId, [{ from: null, until: day }]);
      const kinds = new Set(problems.map(({ kind }) => kind));
      return [`${whole.filter(({ balance }) => balance).length}/${accounts.length}`, ...kinds].join(' ');
    } catch (error) {
      return kindOf(error);
    }
  }
}

function kindOf(error: unknown): string {
  if (error instanceof ProviderError) return error.kind;
  throw error;
}
