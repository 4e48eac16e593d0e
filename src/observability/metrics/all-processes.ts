import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** The metrics of one process, as prom-client passes them between processes. */
type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** Two requests and their replies. `id` joins a reply to its request. */
type Message =
  | { metrics: 'get-all' | 'get-own'; id: number }
  | { metrics: 'own'; id: number; values: ProcessMetrics }
  | { metrics: 'all'; id: number; text: string };

/** Prometheus itself waits 10 seconds. A scrape that fails is better than sums without a process that was busy. */
const TIMEOUT_MS = 8_000;

const ignoreError = () => undefined;

/**
 * For the supervisor. A scrape reaches one of the processes behind a port, and its answer must cover all of them. So that
 * process asks the supervisor, which adds up the metrics of each.
 */
export function addUpMetrics(serving: ReadonlySet<Worker>): void {
  let requests = 0;
  cluster.on('message', (scraped, message: Message) => {
    if (message.metrics !== 'get-all') return;
    const request = requests++;
    void Promise.all([...serving].map((worker) => valuesOf(worker, request)))
      .then((all) => AggregatorRegistry.aggregate(all.filter((values) => values !== null)).metrics())
      .then((text) => scraped.send({ metrics: 'all', id: message.id, text } satisfies Message, ignoreError))
      // The scraped process has given up by then.
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
      if (message.metrics === 'own' && message.id === id) settle(() => resolve(message.values));
    };
    worker.on('message', listen);
    worker.once('exit', leaveOut);
    worker.send({ metrics: 'get-own', id } satisfies Message, ignoreError);
  });
}

/** The metrics of one of several processes, and of all together. */
export class SharedMetrics {
  readonly #waiting = new Map<number, (text: string) => void>();
  #requests = 0;

  /** @param readOwn the metrics of this process */
  constructor(readOwn: () => Promise<ProcessMetrics>) {
    process.on('message', (message: Message) => {
      if (message.metrics === 'all') this.#waiting.get(message.id)?.(message.text);
      if (message.metrics === 'get-own') {
        void readOwn().then((values) => send({ metrics: 'own', id: message.id, values }));
      }
    });
  }

  /** @returns the metrics of all processes in the text format of Prometheus */
  async read(): Promise<string> {
    const id = this.#requests++;
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#waiting.set(id, resolve);
        setTimeout(reject, TIMEOUT_MS, new Error('The other processes did not answer in time.')).unref();
        send({ metrics: 'get-all', id });
      });
    } finally {
      this.#waiting.delete(id);
    }
  }
}

function send(message: Message): void {
  process.send?.(message, ignoreError);
}
