import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freshSetupToken } from './setup-token.js';
import { createUsSandbox, type SeenRequest, type UsSandboxOptions } from './server.js';

export interface LocalUsSandbox {
  /** Address of the process, without a slash at its end. */
  url: string;
  /** Every request so far, oldest first. */
  requests: SeenRequest[];
  setupToken(scenario: string): string;
  /** Stops it at once, requests that are never answered included. */
  close(): Promise<void>;
}

/** The US provider's sandbox on a free loopback port, for a test or a script. Move its `today` to see days go by. */
export async function startUsSandbox(options: UsSandboxOptions): Promise<LocalUsSandbox> {
  const requests: SeenRequest[] = [];
  const server = createServer(createUsSandbox({ onRequest: (request) => requests.push(request), ...options }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    setupToken: (scenario) => freshSetupToken(url, scenario),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
