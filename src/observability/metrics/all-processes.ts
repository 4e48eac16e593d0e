import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** The metrics of one process, as prom-client passes them between processes. */
type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** Two requests and their replies. `id` joins a reply to its request; `null`: the process says it unasked, before it ends. */
type Message =
  | { metrics: 'get-all' | 'get-own'; id: number }
  | { metrics: 'own'; id: number | null; values: ProcessMetrics }
  | { metrics: 'all'; id: number; text: string };

/** Prometheus itself waits 10 seconds. A scrape that fails is better than sums without a process that was busy. */
const TIMEOUT_MS = 8_000;

const ignoreError = () => undefined;

/**
 * For the supervisor. A scrape reaches one of the processes behind a port, and its answer must cover all of them. So that
 * process asks the supervisor, which adds up the metrics of each. The counts of processes that have ended stay in the sums:
 * Prometheus takes a sum that falls for one that began anew at 0.
 */
export function addUpMetrics(serving: ReadonlySet<Worker>): void {
  let requests = 0;
  const last = new Map<Worker, ProcessMetrics>();
  let ended: ProcessMetrics = [];
  // Not its exit: all that it sent has been read by now.
  cluster.on('disconnect', (worker) => {
    ended = addUp([ended, countsOf(last.get(worker) ?? [])]).getMetricsAsArray() as ProcessMetrics;
    last.delete(worker);
  });
  cluster.on('message', (scraped, message: Message) => {
    if (message.metrics === 'own') last.set(scraped, message.values);
    if (message.metrics !== 'get-all') return;
    const request = requests++;
    void Promise.all([...serving].map((worker) => ask(worker, request)))
      // All at one moment, so that a process that has ended meanwhile counts once.
      .then(() => addUp([...last.values(), ended]).metrics())
      .then((text) => scraped.send({ metrics: 'all', id: message.id, text } satisfies Message, ignoreError))
      // The scraped process has given up by then.
      .catch(ignoreError);
  });
}

function addUp(all: ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate(all);
}

/** A gauge ends with its process. The library's type of types is not what it passes. */
function countsOf(metrics: ProcessMetrics): ProcessMetrics {
  return metrics.filter(({ type }) => String(type) !== 'gauge');
}

/** Resolves when the process has answered, or has ended. */
function ask(worker: Worker, id: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('A process did not answer in time.'))), TIMEOUT_MS);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      worker.off('message', listen).off('exit', done);
      end();
    };
    const done = () => settle(resolve);
    const listen = (message: Message) => {
      if (message.metrics === 'own' && message.id === id) done();
    };
    worker.on('message', listen);
    worker.once('exit', done);
    worker.send({ metrics: 'get-own', id } satisfies Message, ignoreError);
  });
}

/** The metrics of one of several processes, and of all together. */
export class SharedMetrics {
  readonly #waiting = new Map<number, (text: string) => void>();
  #requests = 0;

  /** @param readOwn the metrics of this process */
  constructor(private readonly readOwn: () => Promise<ProcessMetrics>) {
    process.on('message', (message: Message) => {
      if (message.metrics === 'all') this.#waiting.get(message.id)?.(message.text);
      if (message.metrics === 'get-own') void this.#tell(message.id);
    });
  }

  /** Tells the supervisor what this process has counted. It counts no more. */
  leave(): Promise<void> {
    return this.#tell(null);
  }

  async #tell(id: number | null): Promise<void> {
    await send({ metrics: 'own', id, values: await this.readOwn() });
  }

  /** @returns the metrics of all processes in the text format of Prometheus */
  async read(): Promise<string> {
    const id = this.#requests++;
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#waiting.set(id, resolve);
        setTimeout(reject, TIMEOUT_MS, new Error('The other processes did not answer in time.')).unref();
        void send({ metrics: 'get-all', id });
      });
    } finally {
      this.#waiting.delete(id);
    }
  }
}

/** Resolves also when the supervisor is gone. */
function send(message: Message): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}
