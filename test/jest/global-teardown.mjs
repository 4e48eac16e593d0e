import { rm } from 'node:fs/promises';

export default async function teardown() {
  await globalThis.stopTestServer?.();
  await globalThis.removeTestCluster?.();
  await rm(process.env.NODE_COMPILE_CACHE, { recursive: true, force: true });
}
