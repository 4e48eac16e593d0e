import { request } from 'node:http';
import { within } from './waiting.js';

const OPEN_MS = 15_000;

/** An answer that does not end by itself. */
export class OpenStream {
  text = '';
  /** When it ended, by `performance.now()`. */
  endedAt: number | null = null;
  readonly ended: Promise<number>;

  private constructor(
    readonly status: number,
    readonly retryAfter: string | undefined,
    ended: Promise<void>,
    readonly close: () => void,
  ) {
    this.ended = ended.then(() => (this.endedAt = performance.now()));
  }

  /** @returns with the headers of the answer; status 0: none came */
  static open(url: string, headers: Record<string, string>, timeoutMs = OPEN_MS): Promise<OpenStream> {
    return new Promise((resolve) => {
      const fail = () => resolve(new OpenStream(0, undefined, Promise.resolve(), () => undefined));
      const asked = request(url, { agent: false, headers }, (response) => {
        clearTimeout(timer);
        const ended = new Promise<void>((end) => response.once('close', end).once('error', () => end()));
        const retryAfter = response.headers['retry-after'];
        const stream = new OpenStream(response.statusCode!, retryAfter, ended, () => asked.destroy());
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (stream.text += chunk));
        resolve(stream);
      });
      const timer = setTimeout(() => asked.destroy(new Error('no answer')), timeoutMs);
      asked.once('error', fail);
      asked.on('error', () => undefined);
      asked.end();
    });
  }

  /** @returns milliseconds from an instant of `performance.now()` to its end; null: it has not ended in time */
  async endedAfter(since: number, maxMs: number): Promise<number | null> {
    const endedAt = await within(this.ended, maxMs);
    return endedAt === null ? null : Math.max(0, endedAt - since);
  }
}
