import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask } from './http.js';

const LOOK_MS = 500;

interface Backend {
  url: string;
  agent: Agent;
  isReady: boolean;
}

/** Sends requests in turns to the instances that were ready when it last looked. It never tries a request again. */
export class Balancer {
  readonly failures: string[] = [];
  #backends: Backend[] = [];
  #turn = 0;
  readonly #server = createServer((asked, answer) => this.#forward(asked, answer));
  readonly #timer = setInterval(() => void this.#look(), LOOK_MS);

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    // A busy machine is no reason to close a connection to a client.
    balancer.#server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** It gets requests once it was seen to be ready. */
  add(url: string): void {
    this.#backends.push({ url, agent: new Agent({ keepAlive: true }), isReady: false });
  }

  /** Of an instance that has ended. */
  remove(url: string): void {
    this.#backends.find((backend) => backend.url === url)?.agent.destroy();
    this.#backends = this.#backends.filter((backend) => backend.url !== url);
  }

  get areAllReady(): boolean {
    return this.#backends.every(({ isReady }) => isReady);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
    this.#server.closeAllConnections();
    for (const { agent } of this.#backends) agent.destroy();
  }

  async #look(): Promise<void> {
    await Promise.all(
      this.#backends.map(async (backend) => {
        const { status } = await ask(`${backend.url}/health/ready`, { timeoutMs: 2_000 });
        backend.isReady = status === 200;
      }),
    );
  }

  #forward(asked: IncomingMessage, answer: ServerResponse): void {
    const ready = this.#backends.filter(({ isReady }) => isReady);
    const backend = ready[this.#turn++ % ready.length];
    if (!backend) return this.#fail(answer, 'nobody is ready');
    const headers = without(asked.headers, 'connection', 'host');
    const sent = request(backend.url + asked.url, { method: asked.method, headers, agent: backend.agent }, (reply) => {
      answer.writeHead(reply.statusCode!, without(reply.headers, 'connection', 'keep-alive'));
      reply.on('error', () => this.#fail(answer, 'broken off'));
      reply.pipe(answer);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => this.#fail(answer, error.code ?? error.message));
    asked.pipe(sent);
  }

  #fail(answer: ServerResponse, why: string): void {
    this.failures.push(why);
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end();
  }
}

/** Headers of one connection are not passed on to the other. */
function without(headers: IncomingHttpHeaders, ...names: string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
