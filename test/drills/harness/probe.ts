import { type Answer, ask, count, percentile, type Question, tally } from './http.js';
import { pause, seconds } from './waiting.js';

const EVERY_MS = 100;
const TIMEOUT_MS = 10_000;
const BASELINE_MS = 2_000;
/** What others may have to wait, p99. */
const LIMIT_MS = 2_000;
/** On a machine that is busy with other work, so many times as long as before. */
const MOST_TIMES_BASELINE = 4;

type Request = readonly [url: string, question?: Question];

/** Asks as somebody else would, at a steady rate whether or not answers come, while something is done to the service. */
export class Probe {
  answers: Answer[] = [];
  #baselineMs = 0;
  readonly #open = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  private constructor(requests: readonly Request[]) {
    let turn = 0;
    this.#timer = setInterval(() => {
      const [url, question] = requests[turn++ % requests.length]!;
      const asked = ask(url, { timeoutMs: TIMEOUT_MS, ...question }).then((answer) => void this.answers.push(answer));
      this.#open.add(asked);
      void asked.then(() => this.#open.delete(asked));
    }, EVERY_MS);
    this.#timer.unref();
  }

  /** @returns once it knows how long answers take before anything is done */
  static async start(requests: readonly Request[]): Promise<Probe> {
    const probe = new Probe(requests);
    await pause(BASELINE_MS);
    probe.#baselineMs = probe.p99Ms;
    probe.answers = [];
    return probe;
  }

  /** Waits for the answers that are still to come. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
  }

  get p99Ms(): number {
    return percentile(this.answers, 0.99);
  }

  /** Whether others were answered, and in time. */
  get isWell(): boolean {
    const isAnswered = this.answers.length > 0 && count(this.answers, 200) === this.answers.length;
    return isAnswered && this.p99Ms < Math.max(LIMIT_MS, MOST_TIMES_BASELINE * this.#baselineMs);
  }

  /** "others: 120 × 200, p99 0.2 s (before: 0.1 s)" */
  get figure(): string {
    return `others: ${tally(this.answers)}, p99 ${seconds(this.p99Ms)} (before: ${seconds(this.#baselineMs)})`;
  }
}
