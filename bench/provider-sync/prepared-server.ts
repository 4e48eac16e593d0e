import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BankRow } from './rows.js';

/** How one provider speaks. */
export interface Dialect {
  /** What a person posts to connect it. */
  connectBody: (url: string) => object;
  /** What the service must be started with. */
  environment: (url: string) => NodeJS.ProcessEnv;
  /** Plain text or what becomes JSON. */
  answer: (rows: readonly BankRow[], target: URL, url: string) => string | object;
}

export interface PreparedServer {
  /** From now on these rows are there. Answers to what was asked before are ready at once. */
  serve: (rows: readonly BankRow[]) => void;
  connectBody: () => object;
  environment: () => NodeJS.ProcessEnv;
  stop: () => void;
}

/** A bank that is no part of what is measured: after a first round it knows what it will be asked, and has it ready. */
export async function startPreparedServer({ connectBody, environment, answer }: Dialect): Promise<PreparedServer> {
  let rows: readonly BankRow[] = [];
  let url = '';
  const ready = new Map<string, Buffer>();
  const prepare = (target: string): Buffer => {
    const body = answer(rows, new URL(target, url), url);
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    ready.set(target, bytes);
    return bytes;
  };
  const server = createServer(({ url: target = '' }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(ready.get(target) ?? prepare(target));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    serve: (given) => {
      rows = given;
      for (const target of ready.keys()) prepare(target);
    },
    connectBody: () => connectBody(url),
    environment: () => environment(url),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
