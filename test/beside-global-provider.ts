import { createClient, LOCAL_PROVIDER, startTestApp, type TestAnswer, type TestApp, type TestClient } from './app.js';
import { API_KEY } from './scripted-global-provider.js';
import { type ScriptedServer, startScriptedServer } from './scripted-server.js';

export interface GlobalProviderScene {
  server: ScriptedServer;
  tidemark: TestApp;
  client: TestClient;
}

/** The service, which asks this server when it asks the global provider. */
export function startAppBeside(server: ScriptedServer, settings: NodeJS.ProcessEnv = {}): Promise<TestApp> {
  return startTestApp({ ...LOCAL_PROVIDER, GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...settings });
}

/**
 * For a block of tests: the service beside a global provider of the test's choice; before each test it is noon of
 * 15 March 2026 and there is a new person.
 *
 * @param enter is handed all three before each test
 */
export function besideGlobalProvider(
  enter: (scene: GlobalProviderScene) => void,
  settings: NodeJS.ProcessEnv = {},
): void {
  let server: ScriptedServer;
  let tidemark: TestApp;

  beforeAll(async () => {
    server = await startScriptedServer();
    tidemark = await startAppBeside(server, settings);
  });
  afterAll(async () => {
    await tidemark.stop();
    await server.stop();
  });
  beforeEach(async () => {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    enter({ server, tidemark, client: await createClient(tidemark) });
  });
}

/** Connects with the fake's key; the first sync has begun. */
export async function connect(client: TestClient): Promise<TestAnswer['body']> {
  const { body } = await client.post('/api/v1/connections', { provider: 'global_provider', api_key: API_KEY });
  return body;
}
