import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { send, LOCAL_PROVIDER } from '../support/app.js';
import { BUSY_MACHINE_LIMITS } from '../support/busy-machine.js';
import { createEmptyDatabase, onServer, type TestDatabase } from '../support/database.js';
import { type InstantBank, startInstantBank } from '../support/instant-bank.js';
import { middayZone } from '../support/midday.js';
import { buildRelease, whyNoCode } from '../releases/build-release.js';
import { PATHS, type Release } from '../releases/release.js';
import { Running, start, waitFor } from '../support/run-process.js';

const FOLDER = 'test/releases';
const APP_SECRET = 'the root secret of the tests';
const releases = readdirSync(FOLDER)
  .filter((name) => /^\d/.test(name))
  .map((version) => {
    const release = JSON.parse(readFileSync(join(FOLDER, version, 'release.json'), 'utf8')) as Release;
    return { version, release, whyNot: whyNoCode(release.commit) };
  });
for (const { version, whyNot } of releases) {
  if (whyNot) console.warn(`Release ${version} is not run on the schema of this version: ${whyNot}.`);
}

/** A version may say the same in other words, and warn of more. */
function atLeast(answers: object): object {
  return JSON.parse(JSON.stringify(answers), (name, value: unknown) => {
    if (name === 'message') return undefined;
    if (name !== 'warnings') return value;
    return expect.arrayContaining((value as object[]).map((warning) => expect.objectContaining(warning)));
  }) as object;
}

describe.each(releases)('release $version on the schema of this version', ({ version, release, whyNot }) => {
  const itWithCode = whyNot ? it.skip : it;
  let folder: string;
  let database: TestDatabase;
  let bank: InstantBank;
  const started: Running[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-release-'));
    database = await createEmptyDatabase();
    bank = await startInstantBank(new Date().toISOString().slice(0, 10));
  });
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ finished }) => finished));
    await bank.server.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    ...{ DATABASE_URL: database.url, APP_SECRET, PORT: '0', SYNC_CRON: 'off', RATE_LIMIT_PER_MINUTE: '0' },
    ...LOCAL_PROVIDER,
  });

  /** An entry point of the release, as a process of its own. */
  function startOld(code: string, entryPoint: string, args: string[] = []): Running {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, ...BUSY_MACHINE_LIMITS, ...environment() };
    return new Running(spawn(process.execPath, [join(code, 'dist', `${entryPoint}.js`), ...args], { cwd: code, env }));
  }

  async function urlOf(instance: Running): Promise<string> {
    started.push(instance);
    const [, url = ''] = await instance.line(/^listening on (.*)$/m);
    return url;
  }

  const ask = (url: string, path: string, method = 'GET', body?: object) =>
    send(url + path, {
      method,
      headers: { 'X-Api-Key': release.key, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const answersOf = async (url: string) => {
    const answers: Record<string, unknown> = {};
    for (const path of PATHS) answers[path] = await ask(url, path).then(({ status, body }) => ({ status, body }));
    return answers;
  };

  itWithCode('a running older release answers as before while this version migrates and runs beside it', async () => {
    const code = buildRelease(release.commit, folder);
    const restored = await startOld(code, 'cli', ['restore', resolve(FOLDER, version, 'data.backup')]).finished;
    expect(restored).toMatchObject({ code: 0 });
    await onServer(`update users set time_zone = '${middayZone()}'`, database.url);
    const old = await urlOf(startOld(code, 'main'));
    const before = await answersOf(old);

    let isOver = false;
    let answered = 0;
    const failed: unknown[] = [];
    const client = (async () => {
      for (let count = 0; !isOver; count++) {
        const path = PATHS[count % PATHS.length]!;
        const { status, headers, body } = await ask(old, path);
        // Two sessions that wait for each other's tables: the reader is asked to come again.
        if (status === 503 && headers.has('retry-after')) continue;
        answered++;
        if (status !== 200) failed.push({ path, status, body });
      }
    })();
    const now = await urlOf(start('main', [], environment())).finally(() => (isOver = true));
    await client;
    expect([failed, answered > PATHS.length]).toEqual([[], true]);
    expect(await answersOf(old)).toEqual(before);
    expect(await answersOf(now)).toMatchObject(atLeast(before));

    const connect = { provider: 'us_provider', setup_token: bank.setupToken('newcomer') };
    const connected = await ask(old, '/api/v1/connections', 'POST', connect);
    expect(connected.status).toBe(201);
    const asked = await ask(now, `/api/v1/connections/${connected.body.id}/sync`, 'POST');
    expect(asked.status).toBe(202);
    const sync = async () => (await ask(now, `/api/v1/syncs/${asked.body.id}`)).body as { status: string };
    await waitFor(async () => !['queued', 'running'].includes((await sync()).status), 'synced');
    expect(await sync()).toMatchObject({ status: 'succeeded' });
    const { body: accounts } = await ask(now, '/api/v1/accounts');
    expect(accounts.pagination.total_count).toBe(6);
    const [{ id }] = accounts.accounts as [{ id: string }];
    const renamed = await ask(old, `/api/v1/accounts/${id}`, 'PATCH', { name: 'Renamed during the update' });
    expect(renamed).toMatchObject({ status: 200, body: { id, name: 'Renamed during the update' } });
    expect((await ask(now, `/api/v1/accounts/${id}`)).body).toMatchObject(renamed.body);
  });
});
