import { startTestApp, type TestApp } from './app.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from './factories.js';
import { leaveRunsAlone } from './syncs.js';
import { type Visit, Visitor } from './visitor.js';

const EMAIL = 'anna@example.com';
const PASSWORD = 'correct horse';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

describe('every form', () => {
  let test: TestApp;
  let visitor: Visitor;
  let connectionId: string;
  let accountId: string;
  let webhookId: string;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    await leaveRunsAlone(test);
    visitor = new Visitor(test.url);
    await visitor.signUp(EMAIL, PASSWORD);
    const [user]: { id: string }[] = await test.em().execute('select id from users');
    const connection = await createConnection(test, user!.id);
    const account = snapshotAccount({ name: 'Checking', balance: balance(5_000) });
    connectionId = connection.id;
    await writeSnapshot(test, connection, account);
    const [stored]: { id: string }[] = await test.em().execute('select id from accounts');
    accountId = stored!.id;
    const webhook = { url: 'https://hooks.example.com/tidemark', event_types: ['sync.finished'] };
    await visitor.submit('/settings/webhooks', webhook, '/settings/webhooks');
    const [endpoint]: { id: string }[] = await test.em().execute('select id from webhook_endpoints');
    webhookId = endpoint!.id;
  });
  afterAll(() => test.stop());
  beforeEach(() => visitor.submit('/sign-in', { email: EMAIL, password: PASSWORD }));

  /** Addresses that forms are sent to, with ids of things there are. */
  function addresses(): string[] {
    const { router } = test.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
    const routes = router.stack.flatMap(({ route }) => (route ? [route] : []));
    return routes
      .filter(({ path, methods }) => methods.post && !/^\/(api|mcp|sandbox)/.test(path))
      .map(({ path }) =>
        path
          .replace(/^(\/accounts\/):id/, `$1${accountId}`)
          .replace(/^(\/settings\/webhooks\/):id/, `$1${webhookId}`)
          .replace(':id', connectionId),
      );
  }

  const tokenIn = ({ html }: Visit) => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';

  it('has an address that leads to a page when it is opened', async () => {
    const found: Record<string, number> = {};
    for (const address of addresses()) {
      const answer = await visitor.get(address);
      found[address] = answer.status === 303 ? (await visitor.follow(answer)).status : answer.status;
    }
    expect(Object.keys(found).length).toBeGreaterThan(20);
    // Who is signed in is led on from the pages to sign in and up.
    expect(Object.entries(found).filter(([, status]) => status !== 200 && status !== 303)).toEqual([]);
  });

  it.each<[string, (id: { account: string; connection: string }) => [string, Record<string, string>], RegExp[]]>([
    [
      'the name and type of an account',
      ({ account }) => [`/accounts/${account}`, { name: 'Daily “use”', account_type: 'loan' }],
      [/<details class="card" open><summary>Name and type/, /value="Daily “use”"/, /value="loan" selected/],
    ],
    [
      'the end of an account',
      ({ account }) => [`/accounts/${account}/life`, { closed_on: '2026-03-01', hidden: 'on' }],
      [
        /<details class="card" open><summary>Close or hide/,
        /value="2026-03-01"/,
        /name="hidden" value="on" checked/,
        /name="include_in_net_worth" value="on"\/?>/,
      ],
    ],
    [
      'the name of a connection',
      ({ connection }) => [`/connections/${connection}`, { name: 'Banks at home' }],
      [/value="Banks at home"/, /name="include_pending" value="on"\/?>/],
    ],
    [
      'what is to become of the accounts of a connection',
      ({ connection }) => [`/connections/${connection}/remove`, { history: 'delete' }],
      [/<details class="card" open><summary>Remove this connection/, /value="delete" checked/],
    ],
    [
      'a new connection',
      () => ['/connections/new', { provider: 'us_provider', name: 'Mine', history_days: '365', secret: 'never-kept' }],
      [/value="Mine"/, /value="365" selected/],
    ],
    ['the time zone', () => ['/settings/time-zone', { time_zone: 'Asia/Tokyo' }], [/value="Asia\/Tokyo" selected/]],
    [
      'the appearance',
      () => ['/settings/appearance', { theme: 'dark', number_format: 'fr-FR' }],
      [/value="dark" selected/, /value="fr-FR" selected/],
    ],
  ])('keeps %s when its session was lost', async (_, formOf, shown) => {
    const [address, fields] = formOf({ account: accountId, connection: connectionId });
    const form_token = tokenIn(await visitor.get('/settings'));
    await test.em().execute('delete from sessions');
    const lost = await visitor.post(address, { form_token, ...fields });
    const location = lost.headers.get('location')!;
    expect((await visitor.get(location)).text).toContain('You were signed out.');
    expect(location).not.toMatch(/never-kept/);
    const next = new URL(location, test.url).searchParams.get('next')!;
    const { html } = await visitor.follow(await visitor.submit('/sign-in', { email: EMAIL, password: PASSWORD, next }));
    for (const pattern of shown) expect(html).toMatch(pattern);
  });

  it('to sign up signs in whom it has just created, when it is sent twice', async () => {
    const twice = new Visitor(test.url);
    const answers = await Promise.all([1, 2].map(() => twice.signUp('twice@example.com', PASSWORD)));
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, '/'],
      [303, '/'],
    ]);
    expect((await new Visitor(test.url).signUp('twice@example.com', 'another horse')).text).toContain('already exists');
  });

  it('that removes a connection may be sent twice, and says so', async () => {
    const form_token = tokenIn(await visitor.get('/settings'));
    for (let i = 0; i < 2; i++) {
      const answer = await visitor.post(`/connections/${connectionId}/remove`, { form_token, history: 'keep' });
      expect(answer.status).toBe(303);
      expect((await visitor.follow(answer)).text).toContain('The connection was removed.');
    }
  });

  it('that deletes an account may be sent twice', async () => {
    const form_token = tokenIn(await visitor.get('/settings'));
    for (let i = 0; i < 2; i++) {
      const answer = await visitor.post(`/accounts/${accountId}/delete`, { form_token });
      expect(answer.status).toBe(303);
      expect((await visitor.follow(answer)).status).toBe(200);
    }
  });
});
