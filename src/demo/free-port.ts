import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The wanted port if it is free, or another free one. */
export async function freePort(host: string, wanted: number): Promise<number> {
  return tryPort(host, wanted).catch(() => tryPort(host, 0));
}

function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
    });
  });
}
