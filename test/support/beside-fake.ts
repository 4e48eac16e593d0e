import { createClient, type TestApp, type TestClient } from './app.js';

export interface Scene {
  tidemark: TestApp;
  client: TestClient;
}

/**
 * For a block of tests: a fake and the service beside it; before each test it is noon of 15 March 2026 and there is a new
 * person.
 *
 * @param enter is handed all three before each test
 */
export function besideFake<Fake extends { stop: () => Promise<void> }>(
  startFake: () => Promise<Fake>,
  startBeside: (fake: Fake) => Promise<TestApp>,
  enter: (fake: Fake, scene: Scene) => void,
): void {
  let fake: Fake;
  let tidemark: TestApp;

  beforeAll(async () => {
    fake = await startFake();
    tidemark = await startBeside(fake);
  });
  afterAll(async () => {
    await tidemark.stop();
    await fake.stop();
  });
  beforeEach(async () => {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    enter(fake, { tidemark, client: await createClient(tidemark) });
  });
}
