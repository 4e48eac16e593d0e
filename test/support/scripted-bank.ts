import { LOCAL_PROVIDER, startTestApp, type TestAnswer, type TestClient } from './app.js';
import { besideFake, type Scene } from './beside-fake.js';
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.js';
import { wireSet } from './scripted-us-provider.js';
import { ended } from './syncs.js';

type Answer = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** The US provider with answers of the test's choice. */
export interface ScriptedBank {
  server: ScriptedServer;
  /** From now on lists these accounts. */
  lists: (accounts: object[], more?: object) => void;
  /** From now on answers a request for accounts so. */
  answers: (answer: ScriptedAnswer | Answer) => void;
  /** A setup token; claimed a second time it is refused. It opens the access of a user, by default of a new one. */
  token: (user?: string) => string;
  /** What a token of this user is claimed for. */
  accessUrl: (user: string) => string;
  /** How many requests for accounts came so far. */
  asked: () => number;
  stop: () => Promise<void>;
}

export async function startScriptedBank(): Promise<ScriptedBank> {
  const server = await startScriptedServer();
  const spent = new Set<string>();
  let answer: Answer = () => ({ body: wireSet([]) });
  let tokens = 0;
  const accessUrl = (user: string) => server.url.replace('//', `//${user}:password@`) + '/simplefin';
  const claim = (path: string): ScriptedAnswer => {
    if (spent.has(path)) return { status: 403, body: 'Forbidden (bad code)' };
    spent.add(path);
    return { body: accessUrl(path.split('/')[2]!) + '\n' };
  };
  server.play((request) => {
    const { path } = request;
    if (path.startsWith('/claim/')) return claim(path);
    return path.endsWith('/info') ? { body: { versions: ['1.0', '2.0'] } } : answer(request);
  });
  return {
    server,
    lists: (accounts, more) => (answer = () => ({ body: wireSet(accounts, more) })),
    answers: (next) => (answer = typeof next === 'function' ? next : () => next),
    token: (user = `user${++tokens}`) => Buffer.from(`${server.url}/claim/${user}/${++tokens}`).toString('base64'),
    accessUrl,
    asked: () => server.requests.filter(({ path }) => path.endsWith('/accounts')).length,
    stop: server.stop,
  };
}

/** Connects with a setup token and waits for the first sync. */
export async function connected(client: TestClient, token: string, more: object = {}): Promise<TestAnswer['body']> {
  const body = { provider: 'us_provider', setup_token: token, history_days: 30, ...more };
  const { status, body: connection } = await client.post('/api/v1/connections', body);
  if (status !== 201) throw new Error(`not connected: ${JSON.stringify(connection)}`);
  await ended(client, connection.latest_sync_id);
  return connection;
}

interface ScriptedBankScene extends Scene {
  bank: ScriptedBank;
}

/** A block of tests with the service beside a scripted bank, see {@link besideFake}. */
export function besideScriptedBank(enter: (scene: ScriptedBankScene) => void): void {
  besideFake(
    startScriptedBank,
    () => startTestApp(LOCAL_PROVIDER),
    (bank, scene) => enter({ bank, ...scene }),
  );
}
