import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import type { AuditEventKind } from '../../src/auth/audit/audit-event.js';
import { pruneAuditEvents } from '../../src/auth/audit/prune-audit-events.js';
import { AuditTrailService } from '../../src/auth/audit/audit-trail.service.js';
import { UsersRepository } from '../../src/auth/users.repository.js';
import { EditConnectionService } from '../../src/sync/connect/edit-connection.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, TestClient } from '../support/app.js';
import { createConnection } from '../support/factories.js';
import { Visitor } from '../../src/kit/visitor.js';

const PASSWORD = 'correct horse';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const PATH = '/api/v1/audit_events';

interface Event {
  kind: string;
  subject: string | null;
  client_address: string | null;
  device: string | null;
}

describe('GET /api/v1/audit_events', () => {
  let test: TestApp;
  let people = 0;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
  });
  beforeEach(() => test.clock.set('2026-03-15T12:00:00Z'));
  afterAll(() => test.stop());

  /** Somebody who has signed up, and a key that reads their trail. */
  async function newcomer() {
    const email = `audited-${++people}@example.com`;
    const person = new Visitor(test.url);
    await person.signUp(email);
    const user = await test.app.get(UsersRepository, { strict: false }).findByEmail(email);
    const wanted = { name: 'reader', scopes: ['audit:read' as const], expiresAt: null };
    const { key } = await test.app.get(ApiKeysService).create(user!.id, wanted);
    return { email, person, userId: user!.id, reader: new TestClient(test.url, user!.id, key) };
  }

  const eventsOf = async (reader: TestClient, query = ''): Promise<Event[]> =>
    (await reader.get(`${PATH}${query}`)).body.audit_events;
  const kindsOf = async (reader: TestClient, query = '') => (await eventsOf(reader, query)).map(({ kind }) => kind);
  const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
    new Visitor(test.url).post('/sign-in', { email, password }, { 'Sec-Fetch-Site': 'same-origin', ...headers });

  it('audit events list sign-up, sign-in and sign-out with time, address and device, newest first', async () => {
    const { email, person, reader } = await newcomer();
    await person.submit('/sign-out', {}, '/');
    await signIn(email, 'guessed', { 'X-Forwarded-For': '::ffff:203.0.113.9', 'User-Agent': FIREFOX });
    const events = await eventsOf(reader);
    expect(events.map(({ kind }) => kind)).toEqual([
      ...['sign_in_failed', 'signed_out', 'api_key_created', 'signed_in', 'signed_up'],
    ]);
    expect(events[0]).toEqual({
      id: expect.any(String),
      occurred_at: test.clock.now().toISOString(),
      kind: 'sign_in_failed',
      subject_id: null,
      subject: null,
      client_address: '203.0.113.9',
      device: 'Firefox on Linux',
      api_key_hint: null,
    });
    expect(events[2]).toMatchObject({ client_address: null, device: 'Command line' });
  });

  it('audit events list changes of keys, invitations and passwords, exports and ended sessions', async () => {
    const { email, person, reader } = await newcomer();
    const before = (await eventsOf(reader)).length;
    await signIn(email, PASSWORD);
    await person.submit('/keys', { name: 'Sheet', preset: 'read', expiry: '' });
    const { html } = await person.get('/keys');
    const [, revoke = ''] = /<b>Sheet<\/b>.*?(\/keys\/[\w-]+\/revoke)/s.exec(html) ?? [];
    await person.submit(revoke, {}, '/keys');
    await person.submit(revoke, {}, '/keys');
    await person.submit('/settings/invitations', {}, '/settings');
    await person.get('/settings/export');
    await person.submit('/settings/password', { password: 'guessed', new_password: 'battery staple' }, '/settings');
    await person.submit('/settings/password', { password: PASSWORD, new_password: 'battery staple' }, '/settings');
    const events = (await eventsOf(reader)).slice(0, -before).reverse();
    expect(events.map(({ kind, subject }) => [kind, subject?.replace(/\(.*/, '').trim() ?? null])).toEqual([
      ['signed_in', null],
      ['api_key_created', 'Sheet'],
      ['api_key_revoked', 'Sheet'],
      ['invitation_created', null],
      ['data_exported', null],
      ['password_check_failed', null],
      ['password_changed', null],
      ['sessions_ended', 'node'],
    ]);
  });

  it('audit events list changes of connections, and the API key that removed one', async () => {
    const { reader, userId } = await newcomer();
    const client = await createClient(test);
    const { key } = await test.app
      .get(ApiKeysService)
      .create(userId, { name: 'writer', scopes: ['connections:write'], expiresAt: null });
    const { id } = await createConnection(test, userId);
    expect((await new TestClient(test.url, userId, key).delete(`/api/v1/connections/${id}`)).status).toBe(204);
    const other = await createConnection(test, userId);
    await test.app.get(EditConnectionService).remove({ userId, id: other.id }, true);
    expect((await eventsOf(reader)).slice(0, 3)).toMatchObject([
      { kind: 'accounts_deleted', subject_id: other.id },
      { kind: 'connection_removed', subject_id: other.id, api_key_hint: null },
      { kind: 'connection_removed', subject_id: id, api_key_hint: expect.stringMatching(/^tm_\w{3}…\w{4}$/) },
    ]);
    expect(await kindsOf(client)).toEqual(['api_key_created', 'signed_up']);
  });

  it('a transaction that is rolled back leaves no audit event and no line in the log', async () => {
    const { reader, userId } = await newcomer();
    const before = await kindsOf(reader);
    const log = jest.spyOn(Logger.prototype, 'log');
    afterThisTest(() => log.mockRestore());
    const logged = () => log.mock.calls.map(([line]) => (line as { event?: string }).event).filter(Boolean);
    const record = (kind: AuditEventKind) => test.app.get(AuditTrailService).record({ userId, kind });
    const undone = async () => {
      await record('password_changed');
      throw new Error('undone');
    };
    await expect(test.em().transactional(undone)).rejects.toThrow('undone');
    expect([await kindsOf(reader), logged()]).toEqual([before, []]);
    await test.em().transactional(async (em) => {
      await record('signed_out');
      await expect(em.transactional(undone)).rejects.toThrow('undone');
      expect(logged()).toEqual([]);
    });
    expect([await kindsOf(reader), logged()]).toEqual([['signed_out', ...before], ['signed_out']]);
  });

  it('audit events can be filtered, paged and exported', async () => {
    const { person, reader } = await newcomer();
    test.clock.set('2026-03-16T12:00:00Z');
    await person.submit('/keys', { name: '=cmd()', preset: 'read', expiry: '', confirm_password: PASSWORD });
    expect(await kindsOf(reader, '?start_time=2026-03-16T12:00:00Z')).toEqual(['api_key_created']);
    expect(await kindsOf(reader, '?end_time=2026-03-16T12:00:00Z&kind=signed_in')).toEqual(['signed_in']);
    const page = await reader.get(`${PATH}?per_page=1&page=2`);
    expect(page.body.pagination).toEqual({ page: 2, per_page: 1, total_count: 4, total_pages: 4 });
    expect(page.headers.get('link')).toContain('rel="next"');
    const csv = String((await reader.get(`${PATH}?kind=api_key_created`, { Accept: 'text/csv' })).body);
    expect(csv).toMatch(/^id,occurred_at,kind,subject_id,subject,client_address,device,api_key_hint\r\n/);
    expect(csv).toContain(",'=cmd() (tm_");
    expect((await reader.get(`${PATH}?start_time=2026-02-29T00:00:00Z`)).status).toBe(422);
    const turned = await reader.get(`${PATH}?start_time=2026-03-16T12:00:01Z&end_time=2026-03-16T14:00:00%2B02:00`);
    expect([turned.status, turned.body.message]).toEqual([422, 'start_time must not be after end_time']);
    const refused = await reader.get(`${PATH}?kind=nonsense&start_time=2026-03-16&end_time=2026-13-01T00:00Z`);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [
        expect.stringContaining('kind must be one of'),
        'start_time must be a time like 2026-03-02T06:17:04Z',
        'end_time must be a time like 2026-03-02T06:17:04Z',
      ],
    ]);
  });

  it('at most 100 failed sign-ins a day of one user become audit events, from any number of addresses', async () => {
    const { email, reader, userId } = await newcomer();
    await test
      .em()
      .execute(
        `insert into audit_events (user_id, occurred_at, kind) select ?, ?, 'sign_in_failed' from generate_series(1, 99)`,
        [userId, test.clock.now()],
      );
    for (const host of [1, 2, 3]) await signIn(email, 'guessed', { 'X-Forwarded-For': `203.0.113.${host}` });
    const failed = () => reader.get(`${PATH}?kind=sign_in_failed`);
    expect((await failed()).body.pagination.total_count).toBe(100);
    await signIn(email, PASSWORD);
    expect((await kindsOf(reader))[0]).toBe('signed_in');
    test.clock.set('2026-03-16T12:00:01Z');
    await signIn(email, 'guessed', { 'X-Forwarded-For': '203.0.113.4' });
    expect((await failed()).body.pagination.total_count).toBe(101);
  });

  it('a failed sign-in with an unknown e-mail address leaves no audit event', async () => {
    const count = async () => (await test.em().execute<[{ count: string }]>('select count(*) from audit_events'))[0];
    const before = await count();
    expect((await signIn('unknown@example.com', 'guessed')).status).toBe(422);
    expect(await count()).toEqual(before);
  });

  it('audit events are never changed and are deleted only by age or with their user', async () => {
    const { person, userId } = await newcomer();
    const other = await newcomer();
    const count = async (id: string) =>
      Number(
        (await test.em().execute<[{ count: string }]>('select count(*) from audit_events where user_id = ?', [id]))[0]
          .count,
      );
    for (const change of [
      `update audit_events set kind = 'signed_out' where user_id = '${userId}'`,
      `delete from audit_events where user_id = '${userId}'`,
      `truncate audit_events`,
    ]) {
      await expect(test.em().execute(change)).rejects.toThrow('audit events are only added');
    }
    const kept = await count(userId);
    expect(kept).toBeGreaterThan(0);
    await test.em().execute(
      `insert into audit_events (user_id, occurred_at, kind)
       select ?, '2020-01-01', 'signed_in' from generate_series(1, 5001)`,
      [userId],
    );
    expect(await pruneAuditEvents(test.em(), userId, new Date('2020-01-02T00:00:00Z'))).toBe(5_001);
    expect(await count(userId)).toBe(kept);
    await person.submit('/settings/delete', { delete_password: PASSWORD }, '/settings');
    expect(await count(userId)).toBe(0);
    expect(await count(other.userId)).toBeGreaterThan(0);
  });
});
