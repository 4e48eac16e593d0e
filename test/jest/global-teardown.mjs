export default async function teardown() {
  await globalThis.stopTestServer?.();
  await globalThis.removeTestCluster?.();
}
