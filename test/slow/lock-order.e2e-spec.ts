import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { Account } from '../../src/balances/accounts/account.entity.js';
import { Revisions } from '../../src/http/conditional-get/revisions.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { SecondFactorService } from '../../src/auth/second-factor/second-factor.service.js';
import { SignUpService } from '../../src/auth/sign-up.service.js';
import { IdempotencyKeysService } from '../../src/http/idempotency/idempotency-keys.service.js';
import { UsersRepository } from '../../src/auth/users.repository.js';
import { UsersService } from '../../src/auth/users.service.js';
import { EditAccountService } from '../../src/balances/edit-account/edit-account.service.js';
import type { SnapshotAccount } from '../../src/providers/bank-provider.js';
import { EditConnectionService } from '../../src/sync/connect/edit-connection.service.js';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { DeleteAccountService } from '../../src/sync/ingest/delete-account/delete-account.service.js';
import { AccountDeletedError, SyncedElsewhere } from '../../src/sync/ingest/ingest-problem.js';
import { markMissingAccounts } from '../../src/sync/ingest/listed-accounts.js';
import { MergeAccountsService } from '../../src/sync/ingest/merge/merge-accounts.service.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { sessionWaitsForLock } from '../support/lock-wait.js';
import { until } from '../support/syncs.js';

const ROUNDS = 12;

describe('lock order of concurrent transactions of one user', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;
  let editor: pg.Client;

  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
    editor = new pg.Client(tidemark.database.url);
    await editor.connect();
  });
  // What it still holds goes with its session.
  afterEach(() => editor.end());

  const account = (more: Partial<SnapshotAccount> = {}) =>
    snapshotAccount({ balance: balance(10_000), transactions: [transaction('2026-03-10', -500)], ...more });
  const withHold = (more: Partial<SnapshotAccount> = {}) =>
    account({ transactions: [transaction('2026-03-14', -700, { pending: true })], ...more });
  const write = (snapshot: SnapshotAccount, to = connection, em = tidemark.em) =>
    writeSnapshot({ ...tidemark, em }, to, snapshot);
  const others = { accounts: [account()], problems: [], retryAfterSeconds: null };
  const markAllMissing = (em: EntityManager) => markMissingAccounts(em, connection, others, tidemark.clock.now());
  const edit = (id: string) =>
    tidemark.app.get(EditAccountService).edit({ ...client, timeZone: 'UTC' }, id, { name: 'Mine' });

  /** After the connections were made: those that are made later bring an account again. */
  const deleteLater = async (accountId: string) => {
    tidemark.clock.set('2026-03-16T12:00:00Z');
    await tidemark.app.get(DeleteAccountService).delete(client.userId, accountId);
    tidemark.clock.set('2026-03-15T12:00:00Z');
  };
  const turnOnSecondFactor = () =>
    tidemark.em().execute(
      `insert into second_factors (user_id, id, credential, confirmed_at, last_used_step, created_at)
       values (?, gen_random_uuid(), '', now(), 0, now())`,
      [client.userId],
    );
  const countRecoveryCodes = async () =>
    (await tidemark.em().execute('select 1 from recovery_codes where user_id = ?', [client.userId])).length;

  const blockedBy = async (pid: number) => {
    const blocked =
      'select pid from pg_stat_activity where datname = current_database() and ? = any(pg_blocking_pids(pid))';
    return (await tidemark.em().getConnection().execute<{ pid: number }[]>(blocked, [pid])).length > 0;
  };
  const pidOf = async (em: EntityManager) =>
    (
      await em
        .getConnection()
        .execute<{ pid: number }[]>('select pg_backend_pid() as pid', [], 'all', em.getTransactionContext())
    )[0]!.pid;

  /** A transaction that has done its work and does not end yet. @returns its session, and what lets it end */
  async function keptOpen(work: (em: EntityManager) => Promise<unknown>) {
    let end = () => {};
    const mayEnd = new Promise<void>((resolve) => (end = resolve));
    let done: (pid: number) => void = () => {};
    const pid = new Promise<number>((resolve) => (done = resolve));
    const transaction = tidemark.em().transactional(async (em) => {
      await work(em);
      done(await pidOf(em));
      await mayEnd;
    });
    transaction.catch(() => done(0));
    return { pid: await pid, end: () => (end(), transaction) };
  }

  /** What comes first: that the work is done, or that it waits for a session. */
  const doneOrBlocked = (work: Promise<unknown>, pid: number) => {
    let isDone = false;
    work.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    return until(async () => (isDone ? 'done' : (await blockedBy(pid)) ? 'blocked' : null), 'done or blocked');
  };

  it('accounts of two connections of a user are written concurrently', async () => {
    const other = await createConnection(tidemark, client.userId);
    const [first, second] = [account(), account()];
    await write(first);
    await write(second, other);
    tidemark.clock.set('2026-03-16T12:00:00Z');
    const open = await keptOpen((em) => write({ ...first, balance: balance(9_000) }, connection, () => em));
    try {
      const beside = write({ ...second, balance: balance(8_000) }, other);
      expect(await doneOrBlocked(beside, open.pid)).toBe('done');
      await beside;
    } finally {
      await open.end();
      tidemark.clock.set('2026-03-15T12:00:00Z');
    }
  });

  it('concurrent transactions of a user change the revision one at a time, in any order of their commits', async () => {
    const revision = async () => Number(await tidemark.app.get(Revisions).readRevision(client.userId));
    const [first, second] = [await write(account()), await write(account())];
    const rename = (id: string) => () => edit(id);
    const seen = [await revision()];
    const [one, two] = [await keptOpen(rename(first.accountId)), await keptOpen(rename(second.accountId))];
    seen.push(await revision());
    expect(seen[1]).toBe(seen[0]);
    for (const { end } of [two, one]) {
      await end();
      seen.push(await revision());
    }
    expect(seen.slice(1)).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });

  const WORK: [string, () => Promise<unknown>][] = [
    ['accounts are marked as missing', () => tidemark.em().transactional(markAllMissing)],
    [
      'pending transactions are switched off',
      () => tidemark.app.get(EditConnectionService).edit(connection, { includePending: false }),
    ],
    ['the connection is removed', () => tidemark.app.get(EditConnectionService).remove(connection, false)],
    [
      'the connection is removed with its accounts',
      () => tidemark.app.get(EditConnectionService).remove(connection, true),
    ],
    ['the user is deleted', () => tidemark.app.get(UsersService).delete(client.userId)],
  ];

  it.each(WORK)('no deadlock occurs when %s while an account is edited', async (_, work) => {
    await write(withHold());
    const { accountId } = await write(withHold());
    await editor.query('begin');
    await editor.query('select from accounts where id = $1 for update', [accountId]);
    const { rows } = await editor.query<{ pid: number }>('select pg_backend_pid() as pid');
    const working = work();
    expect(await doneOrBlocked(working, rows[0]!.pid)).toBe('blocked');
    await editor.query(`update accounts set name = 'Mine' where id = $1`, [accountId]);
    await editor.query('commit');
    await working;
  });

  it('no deadlock occurs when a user is deleted while a request with an Idempotency-Key edits an account', async () => {
    const { accountId } = await write(account());
    await tidemark.em().execute(
      `insert into idempotency_keys (user_id, key, fingerprint, holder, leased_until, expires_at)
       values (?, 'edit', '', gen_random_uuid(), now() + interval '30 s', now() + interval '1 day')`,
      [client.userId],
    );
    await editor.query('begin');
    await editor.query('update idempotency_keys set has_committed = true where user_id = $1', [client.userId]);
    const { rows } = await editor.query<{ pid: number }>('select pg_backend_pid() as pid');
    const deleted = tidemark.app.get(UsersService).delete(client.userId);
    expect(await doneOrBlocked(deleted, rows[0]!.pid)).toBe('blocked');
    await editor.query('select from accounts where id = $1 for update', [accountId]);
    await editor.query('commit');
    await deleted;
  });

  it.each([false, true])(
    'no deadlock occurs when a connection is removed (purge: %s) while its user is deleted',
    async (purge) => {
      await tidemark.em().execute(
        `insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at, finished_at)
       select ?, gen_random_uuid(), ?, 'person', 'succeeded', 'done', now(), now() from generate_series(1, 3)`,
        [client.userId, connection.id],
      );
      // The order of the deletion, slowly.
      await editor.query('begin');
      await editor.query('select from connections where user_id = $1 order by id for update', [client.userId]);
      const { rows } = await editor.query<{ pid: number }>('select pg_backend_pid() as pid');
      const removing = tidemark.app.get(EditConnectionService).remove(connection, purge);
      expect(await doneOrBlocked(removing, rows[0]!.pid)).toBe('blocked');
      await editor.query('select from sync_runs where user_id = $1 order by id for update', [client.userId]);
      await editor.query('commit');
      await removing;
    },
  );

  /** What the requests and workers lock before they record an event, with the columns of a new row. */
  const RECORDED: [string, string][] = [
    ['webhook_endpoints', `id, url, description, event_types, status, position, created_at`],
    ['second_factors', 'id, credential, confirmed_at, last_used_step, created_at'],
    ['api_keys', 'id, name, scopes, key_hash, hint'],
    ['sessions', 'id, token_hash, created_at, last_seen_at, expires_at'],
    ['invitations', 'token_hash, expires_at'],
  ];
  const VALUES: Record<string, string> = {
    id: 'gen_random_uuid()',
    status: `'enabled'`,
    position: '0',
    last_used_step: '0',
    event_types: `'{}'`,
    scopes: `'{}'`,
    key_hash: `sha256(gen_random_uuid()::text::bytea)`,
    token_hash: `sha256(gen_random_uuid()::text::bytea)`,
    confirmed_at: 'now()',
    created_at: 'now()',
    last_seen_at: 'now()',
    expires_at: `now() + interval '1 day'`,
  };

  it.each(RECORDED)(
    'no deadlock occurs when a user is deleted while a change of their %s is recorded',
    async (table, columns) => {
      const idempotent = new pg.Client(tidemark.database.url);
      await idempotent.connect();
      try {
        await tidemark.em().execute(
          `insert into idempotency_keys (user_id, key, fingerprint, holder, leased_until, expires_at)
         values (?, 'any', '', gen_random_uuid(), now(), now() + interval '1 day')`,
          [client.userId],
        );
        const pid = 'select pg_backend_pid() as pid';
        await idempotent.query('begin');
        await idempotent.query('select from idempotency_keys where user_id = $1 for update', [client.userId]);
        const first = (await idempotent.query<{ pid: number }>(pid)).rows[0]!.pid;
        const deleted = tidemark.app.get(UsersService).delete(client.userId);
        expect(await doneOrBlocked(deleted, first)).toBe('blocked');
        // Keys and sessions, too, can be made until the person is locked.
        const values = columns.split(', ').map((column) => VALUES[column] ?? `'any'`);
        await tidemark
          .em()
          .execute(`insert into ${table} (user_id, ${columns}) values (?, ${values.join()})`, [client.userId]);
        await editor.query('begin');
        await editor.query(`select from ${table} where user_id = $1 for update`, [client.userId]);
        const { rows } = await editor.query<{ pid: number }>(pid);
        await idempotent.query('commit');
        expect(await doneOrBlocked(deleted, rows[0]!.pid)).toBe('blocked');
        await editor.query(`insert into audit_events (user_id, occurred_at, kind) values ($1, now(), 'signed_out')`, [
          client.userId,
        ]);
        await editor.query('commit');
        await deleted;
      } finally {
        await idempotent.end();
      }
    },
  );

  it('no deadlock occurs when a user is deleted while a form makes recovery codes', async () => {
    await turnOnSecondFactor();
    const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const form = tidemark.app
      .get(IdempotencyKeysService)
      .sendOnce({ userId: client.userId, formId: 'ab' }, async () => {
        begun.resolve();
        await mayGoOn.promise;
        return tidemark.app.get(SecondFactorService).renewRecoveryCodes(client.userId);
      });
    await begun.promise;
    const deleted = tidemark.app.get(UsersService).delete(client.userId);
    await sessionWaitsForLock(tidemark);
    mayGoOn.resolve();
    await Promise.all([form, deleted]);
  });

  it('no deadlock occurs when an account is deleted while a sync is about to write it', async () => {
    const { accountId } = await write(account());
    await editor.query('begin');
    await editor.query('select from connections where id = $1 for update', [connection.id]);
    const { rows } = await editor.query<{ pid: number }>('select pg_backend_pid() as pid');
    const deleting = tidemark.app.get(DeleteAccountService).delete(client.userId, accountId);
    expect(await doneOrBlocked(deleting, rows[0]!.pid)).toBe('blocked');
    await editor.query('select from accounts where id = $1 for update', [accountId]);
    await editor.query('commit');
    await deleting;
  });

  it('an account that two connections list first at the same moment is stored once', async () => {
    const other = await createConnection(tidemark, client.userId);
    const listed = account();
    const open = await keptOpen((em) => write(listed, connection, () => em));
    const beside = write(listed, other);
    expect(await doneOrBlocked(beside, open.pid)).toBe('blocked');
    await open.end();
    await expect(beside).rejects.toThrow(SyncedElsewhere);
  });

  it('an account deleted while another connection lists it is left out', async () => {
    const other = await createConnection(tidemark, client.userId);
    const listed = account();
    const { accountId } = await write(listed);
    const open = await keptOpen(() => deleteLater(accountId));
    const beside = write(listed, other);
    expect(await doneOrBlocked(beside, open.pid)).toBe('blocked');
    await open.end();
    await expect(beside).rejects.toThrow(AccountDeletedError);
  });

  /** Two connections, of which the later one in the order of locks has a deletion to pass on. */
  async function withDeletionToPassOn() {
    const both = [connection, await createConnection(tidemark, client.userId)];
    const [first, second] = both.sort((a, b) => (a.id < b.id ? -1 : 1)) as [Connection, Connection];
    await deleteLater((await write(account(), second)).accountId);
    return { first, second };
  }

  it('two connections are both removed although one passes a deleted account on to the other', async () => {
    const { first, second } = await withDeletionToPassOn();
    const remove = (removed: Connection) => tidemark.app.get(EditConnectionService).remove(removed, false);
    const open = await keptOpen(() => remove(first));
    const beside = remove(second);
    expect(await doneOrBlocked(beside, open.pid)).toBe('blocked');
    await open.end();
    await beside;
    expect((await client.get('/api/v1/connections')).body.connections).toEqual([]);
  });

  it('no deadlock occurs when a connection passes a deleted account on to one that is locked before it', async () => {
    const { first, second } = await withDeletionToPassOn();
    await editor.query('begin');
    await editor.query('select from connections where id = $1 for update', [first.id]);
    const { rows } = await editor.query<{ pid: number }>('select pg_backend_pid() as pid');
    const removing = tidemark.app.get(EditConnectionService).remove(second, false);
    expect(await doneOrBlocked(removing, rows[0]!.pid)).toBe('blocked');
    await editor.query('select from connections where id = $1 for update', [second.id]);
    await editor.query('commit');
    await removing;
    expect((await client.get(`/api/v1/connections/${first.id}`)).body.deleted_accounts).toHaveLength(1);
  });

  it('concurrent renewals of recovery codes leave the codes of one renewal', async () => {
    await turnOnSecondFactor();
    const renew = () => tidemark.app.get(SecondFactorService).renewRecoveryCodes(client.userId);
    const open = await keptOpen(renew);
    const beside = renew();
    expect(await doneOrBlocked(beside, open.pid)).toBe('blocked');
    await open.end();
    await beside;
    expect(await countRecoveryCodes()).toBe(10);
  });

  it('disabling a second factor during the renewal of its recovery codes leaves none', async () => {
    await turnOnSecondFactor();
    const factors = tidemark.app.get(SecondFactorService);
    const open = await keptOpen(() => factors.renewRecoveryCodes(client.userId));
    const beside = factors.remove(client.userId, 'second_factor_removed');
    expect(await doneOrBlocked(beside, open.pid)).toBe('blocked');
    await open.end();
    expect(await beside).toBe(true);
    await expect(factors.renewRecoveryCodes(client.userId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await countRecoveryCodes()).toBe(0);
  });

  it('an invitation revoked during a sign-up lets nobody in', async () => {
    const signUp = tidemark.app.get(SignUpService);
    const invitation = await signUp.invite(client.userId);
    const [{ id } = { id: '' }] = await signUp.listOpenInvitations(client.userId);
    const open = await keptOpen(() => signUp.revokeInvitation(client.userId, id));
    const guest = { email: 'guest@example.com', password: 'correct horse', timeZone: 'UTC' };
    const beside = signUp.create(guest, invitation);
    expect(await doneOrBlocked(beside, open.pid)).toBe('blocked');
    await open.end();
    expect(await beside).toEqual({ refused: 'closed' });
    expect(await tidemark.app.get(UsersRepository, { strict: false }).findByEmail(guest.email)).toBeNull();
  });

  it('concurrent requests never make more API keys than allowed', async () => {
    await tidemark.em().execute(
      `insert into api_keys (user_id, id, name, scopes, key_hash, hint, created_at)
       select user_id, gen_random_uuid(), name, scopes, sha256(n::text::bytea || key_hash), hint, created_at
       from api_keys, generate_series(1, 48) n where user_id = ?`,
      [client.userId],
    );
    const make = () =>
      tidemark.app.get(ApiKeysService).create(client.userId, { name: 'k', scopes: [], expiresAt: null });
    const open = await keptOpen(make);
    const beside = make();
    expect(await doneOrBlocked(beside, open.pid)).toBe('blocked');
    await open.end();
    await expect(beside).rejects.toMatchObject({ code: 'conflict' });
  });

  it('no deadlock occurs when two pairs of accounts are merged while an account of the second is edited', async () => {
    const listed = await createConnection(tidemark, client.userId);
    const pairs = [];
    for (const name of ['Checking', 'Savings']) {
      const { accountId: disconnectedId } = await write(account({ name }));
      const { accountId: replacementId } = await write(account({ name }), listed);
      pairs.push({ disconnectedId, replacementId });
    }
    await tidemark.em().nativeUpdate(Account, { connectionId: connection.id }, { status: 'missing' });
    await editor.query('begin');
    await editor.query('select from accounts where id = $1 for update', [pairs[1]!.disconnectedId]);
    const { rows } = await editor.query<{ pid: number }>('select pg_backend_pid() as pid');
    const merging = tidemark.app.get(MergeAccountsService).merge(client.userId, pairs, '2026-03-15');
    expect(await doneOrBlocked(merging, rows[0]!.pid)).toBe('blocked');
    await editor.query(`update accounts set name = 'Mine', name_chosen = true where id = $1`, [
      pairs[1]!.disconnectedId,
    ]);
    await editor.query('commit');
    await merging;
    const names = (await client.get('/api/v1/accounts')).body.accounts.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Checking', 'Mine']);
  });

  it('no deadlock occurs when an account is edited after it was marked as missing', async () => {
    const { accountId } = await write(withHold());
    const open = await keptOpen(markAllMissing);
    const editing = edit(accountId);
    expect(await doneOrBlocked(editing, open.pid)).toBe('blocked');
    await open.end();
    await editing;
  });

  it('no deadlock occurs in repeated random concurrent work', async () => {
    const snapshots = [withHold(), withHold(), withHold()];
    const ids: string[] = [];
    for (const snapshot of snapshots) ids.push((await write(snapshot)).accountId);
    for (let round = 0; round < ROUNDS; round++) {
      const works = [
        () => tidemark.em().transactional(markAllMissing),
        ...ids.map((id) => () => edit(id)),
        ...snapshots.map((snapshot) => () => write({ ...snapshot, balance: balance(round) })),
        () => tidemark.app.get(EditConnectionService).edit(connection, { includePending: false }),
      ];
      const turned = [...works.slice(round % works.length), ...works.slice(0, round % works.length)];
      const outcomes = await Promise.allSettled(turned.map((work) => work()));
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
  });
});
