import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** The metrics of one process, as prom-client passes them between processes. */
type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** `id` joins an answer to its question. */
type Message =
  | { metrics: 'all-wanted' | 'yours-wanted'; id: number }
  | { metrics: 'mine'; id: number; values: ProcessMetrics }
  | { metrics: 'all'; id: number; text: string };

/** Prometheus itself waits 10 seconds. A scrape that fails is better than sums without a process that was busy. */
const TIMEOUT_MS = 8_000;

const ignoreError = () => undefined;

/**
 * For the supervisor. A scrape reaches any of the processes behind a port, and must tell of all: the one that is scraped
 * asks here, and gets the sum.
 */
export function addUpMetrics(serving: ReadonlySet<Worker>): void {
  let questions = 0;
  cluster.on('message', (scraped, message: Message) => {
    if (message.metrics !== 'all-wanted') return;
    const question = questions++;
    void Promise.all([...serving].map((worker) => valuesOf(worker, question)))
      .then((all) => AggregatorRegistry.aggregate(all.filter((values) => values !== null)).metrics())
      .then((text) => scraped.send({ metrics: 'all', id: message.id, text } satisfies Message, ignoreError))
      // The one that was scraped has given up by then.
      .catch(ignoreError);
  });
}

/** @returns null when the process ends before it answers */
function valuesOf(worker: Worker, id: number): Promise<ProcessMetrics | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('A process did not answer in time.'))), TIMEOUT_MS);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      worker.off('message', listen).off('exit', leaveOut);
      end();
    };
    const leaveOut = () => settle(() => resolve(null));
    const listen = (message: Message) => {
      if (message.metrics === 'mine' && message.id === id) settle(() => resolve(message.values));
    };
    worker.on('message', listen);
    worker.once('exit', leaveOut);
    worker.send({ metrics: 'yours-wanted', id } satisfies Message, ignoreError);
  });
}

/** What one of several processes says of itself and learns of all. */
export class SharedMetrics {
  readonly #waiting = new Map<number, (text: string) => void>();
  #questions = 0;

  /** @param readOwn the metrics of this process */
  constructor(readOwn: () => Promise<ProcessMetrics>) {
    process.on('message', (message: Message) => {
      if (message.metrics === 'all') this.#waiting.get(message.id)?.(message.text);
      if (message.metrics === 'yours-wanted') {
        void readOwn().then((values) => send({ metrics: 'mine', id: message.id, values }));
      }
    });
  }

  /** @returns the metrics of all processes in the text format of Prometheus */
  async read(): Promise<string> {
    const id = this.#questions++;
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#waiting.set(id, resolve);
        setTimeout(reject, TIMEOUT_MS, new Error('The other processes did not answer in time.')).unref();
        send({ metrics: 'all-wanted', id });
      });
    } finally {
      this.#waiting.delete(id);
    }
  }
}

function send(message: Message): void {
  process.send?.(message, ignoreError);
}
