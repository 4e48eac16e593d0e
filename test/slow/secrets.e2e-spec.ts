import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { secretsOf } from '../../src/platform/config/app-secret.js';
import { Secret } from '../../src/platform/config/secret.js';
import { prepareCredentials } from '../../src/operate/bootstrap/startup.js';
import { credentialOwner, CredentialVault } from '../../src/platform/vault/credential-vault.js';
import { afterThisTest } from '../support/after-this-test.js';
import {
  createClient,
  LOCAL_PROVIDER,
  startTestApp,
  StillClock,
  type TestApp,
  type TestClient,
} from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type InstantBank, startInstantBank } from '../support/instant-bank.js';
import { type Finished, start } from '../support/run-process.js';
import { ended } from '../support/syncs.js';

const OLD = 'the root secret of the tests';
const NEW = 'the next root secret of the tests';
const TODAY = '2026-03-15';
const CONNECTIONS = 1_200;

const vaultOf = (...secrets: string[]) => new CredentialVault(secretsOf(secrets));
const [OLD_KEY] = vaultOf(OLD).keyIds;
const [NEW_KEY] = vaultOf(NEW).keyIds;

interface Row {
  user_id: string;
  id: string;
  credential: string;
  credential_fingerprint: string;
}

describe('APP_SECRET', () => {
  let folder: string;
  let database: TestDatabase;
  let session: pg.Client;

  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tidemark-secrets-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    database = await createTestDatabase();
    afterThisTest(database.drop);
    session = await connect();
  });

  async function connect(): Promise<pg.Client> {
    const opened = new pg.Client(database.url);
    await opened.connect();
    afterThisTest(() => opened.end());
    return opened;
  }

  const environment = (more: NodeJS.ProcessEnv = {}) => ({
    ...{ DATABASE_URL: database.url, APP_SECRET: OLD, PORT: '0', SYNC_CRON: 'off', DATA_DIR: join(folder, 'data') },
    ...more,
  });

  function program(entryPoint: string, args: string[], more: NodeJS.ProcessEnv = {}, stdin = ''): Promise<Finished> {
    const running = start(entryPoint, args, environment(more));
    afterThisTest(() => running.child.kill('SIGKILL'));
    running.child.stdin!.end(stdin);
    return running.finished;
  }

  /** As many connections as asked for, sealed with one secret. */
  async function fill(secret: string, count = 3): Promise<void> {
    const userId = randomUUID();
    const vault = vaultOf(secret);
    await session.query(`insert into users (id, email, password_hash) values ($1, $2, '')`, [userId, `${userId}@a.b`]);
    for (let index = 0; index < count; index++) {
      const id = randomUUID();
      const credential = new Secret(`https://user-${index}:pass@bridge.example/simplefin`);
      await session.query(
        `insert into connections (user_id, id, provider, name, credential, credential_fingerprint)
         values ($1, $2, 'us_provider', 'Bank', $3, $4)`,
        [userId, id, vault.seal(credential, credentialOwner({ userId, id })), vault.fingerprints(credential)[0]],
      );
    }
  }

  async function rows(): Promise<Row[]> {
    return (await session.query<Row>('select user_id, id, credential, credential_fingerprint from connections')).rows;
  }

  async function keyIds(): Promise<string[]> {
    return [...new Set((await rows()).map(({ credential }) => credential.split('.')[1]!))].sort();
  }

  describe('rotation with an APP_SECRET list "new,old"', () => {
    it('a start with a new APP_SECRET encrypts everything again, after which the old one can be removed', async () => {
      await fill(OLD);
      const service = start('main', [], environment({ APP_SECRET: `${NEW},${OLD}` }));
      afterThisTest(() => service.child.kill('SIGKILL'));
      await service.line(/^listening on /m);
      expect(service.stderr).toContain('Sealed 3 credentials anew with the newest APP_SECRET.');
      expect(await keyIds()).toEqual([NEW_KEY]);
      service.child.kill('SIGTERM');
      await service.finished;
      expect(await prepareCredentials(session, secretsOf([NEW]))).toBe(0);
      const vault = vaultOf(NEW);
      for (const { user_id: userId, id, credential, credential_fingerprint } of await rows()) {
        const opened = vault.open(credential, credentialOwner({ userId, id }));
        expect(vault.fingerprints(opened)[0]).toBe(credential_fingerprint);
      }
    });

    it('instances that start together with a new APP_SECRET encrypt again while users change credentials', async () => {
      await fill(OLD, CONNECTIONS);
      const [changed] = await rows();
      const { user_id: userId, id } = changed!;
      const instances = [await connect(), await connect(), await connect()];
      const person = await connect();
      const credential = vaultOf(OLD).seal(new Secret('given by a person'), credentialOwner({ userId, id }));
      const change = person.query('update connections set credential = $3 where user_id = $1 and id = $2', [
        userId,
        id,
        credential,
      ]);
      const sealing = instances.map((instance) => prepareCredentials(instance, secretsOf([NEW, OLD])));
      const sealed = (await Promise.all(sealing)).reduce((sum, count) => sum + count, 0);
      await change;
      // The person may have been last; whoever starts next finds it.
      expect([CONNECTIONS, CONNECTIONS + 1]).toContain(
        sealed + (await prepareCredentials(session, secretsOf([NEW, OLD]))),
      );
      expect(await keyIds()).toEqual([NEW_KEY]);
      const given = (await rows()).find((row) => row.id === id)!;
      expect(vaultOf(NEW).open(given.credential, credentialOwner({ userId, id })).reveal()).toBe('given by a person');
    });
  });

  it('a start is refused with one sentence if no APP_SECRET decrypts the stored credentials', async () => {
    await fill(OLD);
    const { code, stdout, stderr } = await program('main', [], { APP_SECRET: NEW });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The APP_SECRET does not fit this database: 3 stored credentials .* second factors are turned off .*\n$/,
    );
  });

  describe('secrets:rotate', () => {
    it('secrets:rotate reports what it encrypted again and what is left, and deletes what cannot be decrypted', async () => {
      await fill(OLD);
      await fill('a secret that nobody knows any more', 2);
      const rotated = await program('cli', ['secrets:rotate'], { APP_SECRET: `${NEW},${OLD}` });
      expect([rotated.code, JSON.parse(rotated.stdout)]).toEqual([1, { sealed: 3, left: 2 }]);
      expect(rotated.stderr).toContain('2 are under a secret that is not in the list');
      const forgotten = await program('cli', ['secrets:rotate', '--forget-lost'], { APP_SECRET: NEW });
      expect([forgotten.code, JSON.parse(forgotten.stdout)]).toEqual([0, { sealed: 0, left: 0, forgotten: 2 }]);
      expect(forgotten.stderr).toMatch(/^Removed 2 credentials: .+ second factors are turned off .+password alone/);
      const { rows: waiting } = await session.query(
        `select status, status_reason from connections where credential = ''`,
      );
      expect(waiting).toHaveLength(2);
      expect(waiting[0]).toEqual({ status: 'attention_required', status_reason: expect.stringContaining('is lost') });
      expect(await prepareCredentials(session, secretsOf([NEW]))).toBe(0);
    });
  });

  describe('rotation of APP_SECRET with running instances', () => {
    let bank: InstantBank;

    beforeEach(async () => {
      bank = await startInstantBank(TODAY);
      afterThisTest(() => bank.server.stop());
    });

    async function connected(tidemark: TestApp): Promise<{ client: TestClient; id: string }> {
      const client = await createClient(tidemark);
      const token = bank.setupToken('ann');
      const { body } = await client.post('/api/v1/connections', { provider: 'us_provider', setup_token: token });
      await ended(client, body.latest_sync_id);
      return { client, id: body.id };
    }

    it('no sync fails during a rotation of APP_SECRET in the order old,new and new,old', async () => {
      const both = await startTestApp(LOCAL_PROVIDER, new StillClock(), database, undefined, [OLD, NEW]);
      afterThisTest(both.stop);
      const { client, id } = await connected(both);
      expect(await keyIds()).toEqual([OLD_KEY]);
      expect(await prepareCredentials(session, secretsOf([NEW, OLD]))).toBe(1);
      expect(await keyIds()).toEqual([NEW_KEY]);
      const { body } = await client.post(`/api/v1/connections/${id}/sync`);
      expect(await ended(client, body.id)).toMatchObject({ status: 'succeeded' });
      // The same login is known for the same under either secret.
      const again = await client.post('/api/v1/connections', {
        ...{ provider: 'us_provider', setup_token: bank.setupToken('ann') },
      });
      expect(again.status).toBe(409);
    });

    it('the loss of an APP_SECRET changes the connection in the lists and the change feed', async () => {
      const tidemark = await startTestApp(LOCAL_PROVIDER, new StillClock(), database);
      afterThisTest(tidemark.stop);
      const { client, id } = await connected(tidemark);
      const { rows: others } = await session.query<{ id: string }>(
        `insert into connections (user_id, id, provider, name, status, credential, credential_fingerprint)
         select user_id, gen_random_uuid(), provider, 'Waits already', 'attention_required', credential, 'other'
         from connections returning id`,
      );
      const before = await client.get('/api/v1/connections');
      const { body: start } = await client.get('/api/v1/changes?cursor=latest');
      const { code, stdout } = await program('cli', ['secrets:rotate', '--forget-lost'], { APP_SECRET: NEW });
      expect([code, JSON.parse(stdout)]).toEqual([0, { sealed: 0, left: 0, forgotten: 2 }]);
      const after = await client.get('/api/v1/connections', { 'If-None-Match': before.headers.get('etag')! });
      expect(after.status).toBe(200);
      const { body: news } = await client.get(`/api/v1/changes?cursor=${start.cursor}`);
      const needsPerson = { status: 'attention_required', status_reason: expect.stringContaining('is lost') };
      expect(news.changes).toEqual([
        expect.objectContaining({
          type: 'connections',
          records: expect.arrayContaining(
            [id, others[0]!.id].map((id) => expect.objectContaining({ id, ...needsPerson })),
          ),
        }),
      ]);
      const { rows: events } = await session.query('select event, ids from changes where event like $1', [
        'connection.%',
      ]);
      expect(events).toEqual([{ event: 'connection.attention_required', ids: [id] }]);
    });

    it('a sync on an instance that lacks an APP_SECRET fails with a message that says what to do', async () => {
      const behind = await startTestApp(LOCAL_PROVIDER, new StillClock(), database);
      afterThisTest(behind.stop);
      const { client, id } = await connected(behind);
      await prepareCredentials(session, secretsOf([NEW, OLD]));
      const { body } = await client.post(`/api/v1/connections/${id}/sync`);
      const sync = await ended(client, body.id);
      expect(sync).toMatchObject({ status: 'failed' });
      expect(JSON.stringify(sync)).toContain('sealed with an APP_SECRET that this instance does not have');
      expect((await client.get(`/api/v1/connections/${id}`)).body.status).toBe('active');
    });
  });

  describe('secrets of webhooks', () => {
    const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

    /** An endpoint whose signing secret is sealed with one secret. */
    async function fillWebhook(secret: string): Promise<{ userId: string; secretId: string; endpointId: string }> {
      const [userId, secretId, endpointId] = [randomUUID(), randomUUID(), randomUUID()];
      const sealed = vaultOf(secret).seal(new Secret(WHSEC), credentialOwner({ userId, id: secretId }));
      await session.query(`insert into users (id, email, password_hash) values ($1, $2, '')`, [
        ...[userId, `${userId}@a.b`],
      ]);
      await session.query(
        `insert into webhook_endpoints (user_id, id, url, description, event_types, status, position, created_at)
         values ($1, $2, 'https://hooks.example', '', '{sync.finished}', 'enabled', 0, now())`,
        [userId, endpointId],
      );
      await session.query(
        `insert into webhook_secrets (user_id, id, endpoint_id, credential, created_at) values ($1, $2, $3, $4, now())`,
        [userId, secretId, endpointId, sealed],
      );
      return { userId, secretId, endpointId };
    }
    const openedWith = async (secret: string, { userId, secretId: id }: { userId: string; secretId: string }) => {
      const { rows: found } = await session.query<{ credential: string }>(
        'select credential from webhook_secrets where user_id = $1 and id = $2',
        [userId, id],
      );
      return vaultOf(secret).open(found[0]!.credential, credentialOwner({ userId, id })).reveal();
    };

    it('secrets of webhooks are encrypted again at start and by secrets:rotate', async () => {
      const one = await fillWebhook(OLD);
      expect(await prepareCredentials(session, secretsOf([NEW, OLD]))).toBe(1);
      expect(await openedWith(NEW, one)).toBe(WHSEC);
      const other = await fillWebhook(OLD);
      const rotated = await program('cli', ['secrets:rotate'], { APP_SECRET: `${NEW},${OLD}` });
      expect(JSON.parse(rotated.stdout)).toEqual({ sealed: 1, left: 0 });
      expect(await openedWith(NEW, other)).toBe(WHSEC);
    });

    it('a webhook whose secret is lost is disabled until it gets another one, and other webhooks are not', async () => {
      const lost = await fillWebhook('a secret that nobody knows any more');
      const known = await fillWebhook(NEW);
      const unwanted = await fillWebhook('a secret that nobody knows any more');
      await session.query(
        `update webhook_endpoints set status = 'disabled', disabled_reason = 'person', disabled_at = '2026-03-01' where id = $1`,
        [unwanted.endpointId],
      );
      const forgotten = await program('cli', ['secrets:rotate', '--forget-lost'], { APP_SECRET: NEW });
      expect(JSON.parse(forgotten.stdout)).toEqual({ sealed: 0, left: 0, forgotten: 2 });
      const { rows: states } = await session.query(
        `select id, status, disabled_reason, disabled_at is null as never from webhook_endpoints
         order by array_position($1::uuid[], id)`,
        [[lost.endpointId, known.endpointId, unwanted.endpointId]],
      );
      expect(states).toEqual([
        { id: lost.endpointId, status: 'disabled', disabled_reason: 'secret_lost', never: false },
        { id: known.endpointId, status: 'enabled', disabled_reason: null, never: true },
        { id: unwanted.endpointId, status: 'disabled', disabled_reason: 'person', never: false },
      ]);
      expect(await openedWith(NEW, known)).toBe(WHSEC);
      const { rows: left } = await session.query('select id from webhook_secrets');
      expect(left).toEqual([{ id: known.secretId }]);
    });
  });

  describe('APP_SECRET in the environment', () => {
    it.each<[string, NodeJS.ProcessEnv, RegExp]>([
      ['of an example', { APP_SECRET: 'changemechangeme' }, /APP_SECRET (has too few|repeats).*openssl rand/],
      ['both ways', { APP_SECRET_FILE: '/nowhere' }, /APP_SECRET must not be set together with APP_SECRET_FILE/],
      [
        'in a file that is not there',
        { APP_SECRET: '', APP_SECRET_FILE: '/nowhere' },
        /^APP_SECRET_FILE \/nowhere cannot/,
      ],
    ])('an APP_SECRET %s is refused', async (_, more, sentence) => {
      const { code, stderr } = await program('main', [], more);
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(sentence)]);
      expect(code).not.toBe(0);
      expect(stderr).not.toMatch(/^\s+at /m);
    });

    it('APP_SECRET_FILE is read as systemd provides it, and a weak secret in it is refused', async () => {
      await fill(OLD);
      const path = join(folder, 'credential');
      writeFileSync(path, `${NEW}\n${OLD}\n`, { mode: 0o400 });
      const rotated = await program('cli', ['secrets:rotate'], { APP_SECRET: '', APP_SECRET_FILE: path });
      expect(JSON.parse(rotated.stdout)).toEqual({ sealed: 3, left: 0 });
      const weak = join(folder, 'weak');
      writeFileSync(weak, 'my-tidemark-app-secret\n');
      const { code, stderr } = await program('main', [], { APP_SECRET: '', APP_SECRET_FILE: weak });
      expect([code, stderr]).toEqual([78, expect.stringContaining('is the text of an example')]);
    });

    it('a weak old APP_SECRET still decrypts data when it is listed after a new one', async () => {
      await fill('changemechangeme');
      const rotated = await program('cli', ['secrets:rotate'], { APP_SECRET: `${NEW},changemechangeme` });
      expect(JSON.parse(rotated.stdout)).toEqual({ sealed: 3, left: 0 });
    });
  });

  describe('user:create', () => {
    it('user:create reads the password from stdin and warns about one on the command line', async () => {
      const args = ['user:create', '--email', 'ann@example.com'];
      const read = await program('cli', [...args, '--password-stdin'], {}, 'correct horse battery\n');
      expect([read.code, read.stderr]).toEqual([0, '']);
      const short = await program('cli', [...args, '--password-stdin'], {}, 'short\n');
      expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('at least 8 characters')]);
      const given = await program('cli', ['user:create', '--email', 'bob@example.com', '--password', 'long enough']);
      expect([given.code, given.stderr]).toEqual([0, expect.stringMatching(/^Everyone on this machine can see/)]);
      const both = await program(
        'cli',
        [...args, '--password', 'long enough', '--password-stdin'],
        {},
        'long enough\n',
      );
      expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('not both')]);
    });
  });
});
