import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxHandler, SandboxOptions, SeenRequest } from './handler.js';

export interface LocalSandbox {
  /** Address of the process, without a slash at its end. */
  url: string;
  /** Every request so far, oldest first. */
  requests: SeenRequest[];
  /** Stops it at once, requests that are never answered included. */
  close(): Promise<void>;
}

/** A provider's sandbox on a free loopback port, for a test or a script. Move its `today` to see days go by. */
export async function startSandbox(
  create: (options: SandboxOptions) => SandboxHandler,
  options: SandboxOptions,
): Promise<LocalSandbox> {
  const requests: SeenRequest[] = [];
  const server = createServer(create({ onRequest: (request) => requests.push(request), ...options }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
