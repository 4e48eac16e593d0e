import { LOCAL_PROVIDER, startTestApp, type TestAnswer, type TestApp, type TestClient } from './app.js';
import { besideFake, type Scene } from './beside-fake.js';
import { API_KEY } from './scripted-global-provider.js';
import { type ScriptedServer, startScriptedServer } from './scripted-server.js';

interface GlobalProviderScene extends Scene {
  server: ScriptedServer;
}

/** The service, which asks this server when it asks the global provider. */
export function startAppBeside(server: ScriptedServer, settings: NodeJS.ProcessEnv = {}): Promise<TestApp> {
  return startTestApp({ ...LOCAL_PROVIDER, GLOBALPROVIDER_BASE_URL: `${server.url}/api/v1`, ...settings });
}

/** A block of tests with the service beside a global provider of the test's choice, see {@link besideFake}. */
export function besideGlobalProvider(
  enter: (scene: GlobalProviderScene) => void,
  settings: NodeJS.ProcessEnv = {},
): void {
  besideFake(
    startScriptedServer,
    (server) => startAppBeside(server, settings),
    (server, scene) => enter({ server, ...scene }),
  );
}

/** Connects with the fake's key; the first sync has begun. */
export async function connect(client: TestClient): Promise<TestAnswer['body']> {
  const { body } = await client.post('/api/v1/connections', { provider: 'global_provider', api_key: API_KEY });
  return body;
}
