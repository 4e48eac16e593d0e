import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
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

/** A client at the socket that reads nothing but the first bytes of an answer. */
export class RawClient {
  /** Of the answer's first line; 0: none yet. */
  status = 0;

  private constructor(private readonly socket: Socket) {
    socket.once('data', (chunk: Buffer) => {
      this.status = Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1] ?? 0);
      socket.pause();
    });
    socket.on('error', () => undefined);
  }

  static askWithoutReading(url: string, headers: Record<string, string>): RawClient {
    const { host, hostname, port, pathname, search } = new URL(url);
    const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const asked = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
    const socket = connect(Number(port), hostname, () => socket.write(asked));
    return new RawClient(socket);
  }

  close(): void {
    this.socket.destroy();
  }
}
