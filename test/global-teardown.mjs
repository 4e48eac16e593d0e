import { rm } from 'node:fs/promises';

export default async function teardown() {
  const server = globalThis.tidemarkTestServer;
  if (!server) return;
  await server.stop();
  await rm(server.folder, { recursive: true, force: true });
}
