import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOK_MS = 100;

interface Backend {
  url: string;
  agent: Agent;
  isReady: boolean;
}

/** Passes requests on over kept-alive connections to instances that say they are ready. It tries nothing twice. */
export class LoadBalancer {
  readonly #backends = new Map<string, Backend>();
  readonly #failures: string[] = [];
  #turn = 0;

  private constructor(
    private readonly server: Server,
    private readonly looking: NodeJS.Timeout,
  ) {}

  static async start(): Promise<LoadBalancer> {
    const server = createServer((incoming, outgoing) => balancer.#forward(incoming, outgoing));
    const balancer = new LoadBalancer(
      server,
      setInterval(() => void balancer.#look(), LOOK_MS),
    );
    // A busy machine is no reason to close a connection to a client.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What went wrong between it and the instances. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  isReady(url: string): boolean {
    return this.#backends.get(url)?.isReady ?? false;
  }

  add(url: string): void {
    this.#backends.set(url, { url, agent: new Agent({ keepAlive: true }), isReady: false });
  }

  remove(url: string): void {
    this.#backends.get(url)?.agent.destroy();
    this.#backends.delete(url);
  }

  async stop(): Promise<void> {
    clearInterval(this.looking);
    for (const url of [...this.#backends.keys()]) this.remove(url);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #look(): Promise<void> {
    await Promise.all(
      [...this.#backends.values()].map(async (backend) => {
        const answer = await fetch(`${backend.url}/health/ready`).catch(() => null);
        await answer?.arrayBuffer().catch(() => undefined);
        backend.isReady = answer?.status === 200;
      }),
    );
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = [...this.#backends.values()].filter(({ isReady }) => isReady);
    const backend = ready[this.#turn++ % Math.max(1, ready.length)];
    const fail = (reason: string) => {
      this.#failures.push(reason);
      outgoing.writeHead(502).end();
    };
    if (!backend) return fail('no instance is ready');
    const options = { method: incoming.method, headers: incoming.headers, agent: backend.agent };
    const forwarded = request(backend.url + incoming.url, options, (answer) => {
      const { 'content-type': type } = answer.headers;
      outgoing.writeHead(answer.statusCode!, { 'Content-Type': type });
      answer.on('error', (error) => outgoing.destroy(error));
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => fail(`${backend.url} ${error.message}`));
    incoming.pipe(forwarded);
  }
}
