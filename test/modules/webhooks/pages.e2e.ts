import { SendWebhooksService } from '../../../src/modules/webhooks/sending/send-webhooks.service.js';
import { LOCAL_PROVIDER, startTestApp, type TestApp } from '../../support/app.js';
import { createConnection, snapshotAccount, writeSnapshot } from '../../support/factories.js';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.js';
import { Visitor, type Visit } from '../../../src/kit/visitor.js';

describe('pages of webhooks', () => {
  let test: TestApp;
  let person: Visitor;
  let receiver: ScriptedServer;
  let people = 0;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open', ROLE: 'api', ...LOCAL_PROVIDER });
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    receiver = await startScriptedServer();
    receiver.play({ status: 204 });
    person = new Visitor(test.url);
    await person.signUp(`person-${++people}@example.com`);
  });
  afterEach(() => receiver.stop());

  const PAGE = '/settings/webhooks';
  const secretIn = ({ html }: Visit) => /id="signing-secret">([^<]+)</.exec(html)?.[1] ?? '';
  const send = async (path: string, fields: Record<string, string | string[]> = {}, from = PAGE) => {
    const sent = await person.submit(path, fields, from);
    return sent.status === 303 ? person.follow(sent) : sent;
  };
  const create = (more: Record<string, string | string[]> = {}) =>
    send(PAGE, { url: `${receiver.url}/hook`, description: 'Mirror', event_types: ['sync.finished'], ...more });
  const pageOf = ({ html }: Visit) => /href="(\/settings\/webhooks\/[\da-f-]{36})"/.exec(html)![1]!;
  const sent = () => test.app.get(SendWebhooksService, { strict: false }).settle();

  it('the secret of a new webhook is shown once', async () => {
    expect((await person.get('/settings')).html).toContain(`href="${PAGE}"`);
    const made = await create();
    expect(secretIn(made)).toMatch(/^whsec_/);
    expect(made.text).toContain('Mirror');
    const again = await person.get(PAGE);
    expect([again.html.includes(secretIn(made)), again.text.includes('Mirror')]).toEqual([false, true]);
  });

  it.each<[{ url?: string; event_types?: string[]; description?: string }, string]>([
    [{ url: 'hooks' }, 'begins with https://'],
    [{ url: 'https://a:b@hooks.example' }, 'must not have a user name or a password'],
    [{ event_types: [] }, 'Choose at least one.'],
    [{ description: 'x'.repeat(201) }, 'Use at most 200 characters.'],
  ])('the form of a webhook refuses %j and shows what was entered', async (fields, message) => {
    const refused = await create(fields);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(message)]);
    expect(refused.html).toContain(fields.url ?? receiver.url);
  });

  it('a webhook can be tested, replayed, changed, disabled, enabled, rotated and removed on its page', async () => {
    const own = pageOf(await create());
    expect((await send(`${own}/test`, {}, own)).text).toContain('Sending. Reload this page to see the result.');
    await sent();
    const tested = await person.get(own);
    expect(tested.text).toMatch(/webhook\.test .*answered 204 after \d+ ms · 1 attempt/);
    const [, replay] = /action="([^"]+\/replay)"/.exec(tested.html)!;
    await send(replay!, {}, own);
    await sent();
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect([receiver.requests.length, (await person.get(own)).text.includes('Sent again')]).toEqual([2, true]);

    const fields = { url: `${receiver.url}/else`, description: 'Copy', event_types: ['balances.changed'] };
    expect((await send(own, fields, own)).text).toMatch(/Copy.*Saved\./);
    expect((await send(own, { ...fields, url: 'x' }, own)).status).toBe(422);
    expect((await send(`${own}/disable`, {}, own)).text).toContain('This webhook is disabled');
    expect((await person.submit(`${own}/test`, {}, own)).status).toBe(409);
    expect((await send(`${own}/enable`, {}, own)).text).toContain('This webhook is enabled');
    const rotated = await send(`${own}/rotate-secret`, {}, own);
    expect(secretIn(rotated)).toMatch(/^whsec_/);
    expect((await send(`${own}/remove`, {}, own)).text).toMatch(/The webhook was removed\. .*New webhook/);
    expect((await person.get(PAGE)).text).not.toContain('Copy');
    expect((await person.get(own)).status).toBe(404);
  });

  it('the form that removes a webhook may be sent twice', async () => {
    const own = pageOf(await create());
    const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec((await person.get(own)).html) ?? [];
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await person.post(`${own}/remove`, { form_token });
      expect([status, headers.get('location')]).toEqual([303, `${PAGE}?done=removed`]);
    }
  });

  it('the pages show where a webhook was disabled and why, and what fails, also on the overview', async () => {
    const own = pageOf(await create());
    receiver.play({ status: 410, body: 'Gone <b>away</b>' });
    await send(`${own}/test`, {}, own);
    await sent();
    const [{ id } = { id: '' }]: { id: string }[] = await test
      .em()
      .execute('select id from users where email = ?', [`person-${people}@example.com`]);
    await writeSnapshot(test, await createConnection(test, id), snapshotAccount());
    const text = 'The webhook “Mirror” was disabled because it answered 410 Gone.';
    for (const path of ['/', PAGE, own])
      expect([path, (await person.get(path)).text]).toEqual([path, expect.stringContaining(text)]);
    expect((await person.get(own)).html).toContain('Gone &lt;b>away');
    expect((await person.get('/settings/activity')).text).toContain('Webhook disabled by Tidemark: Mirror');
  });

  it('a page number of deliveries that is too high shows the last page', async () => {
    const own = pageOf(await create());
    await send(`${own}/test`, {}, own);
    await sent();
    expect((await person.get(`${own}?page=9`)).text).toMatch(/webhook\.test .*answered 204/);
  });

  it('the page of a webhook is 404 for another user', async () => {
    const own = pageOf(await create());
    const stranger = new Visitor(test.url);
    await stranger.signUp(`person-${++people}@example.com`);
    expect((await stranger.get(own)).status).toBe(404);
    expect((await stranger.submit(`${own}/remove`, {}, PAGE)).status).toBe(404);
    expect((await person.get(own)).status).toBe(200);
  });
});
