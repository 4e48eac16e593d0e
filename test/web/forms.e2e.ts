import { isInstalled } from '../support/installed.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { formsIn, type PageField, type PageForm } from '../support/page-forms.js';
import { type Visit, Visitor } from '../../src/kit/visitor.js';

const EMAIL = 'anna@example.com';
const PASSWORD = 'correct horse';

const TOO_LONG = 'x'.repeat(5_000);
const GUESSED = { confirm_password: 'guessed' };

/** What each form is refused for. `null`: it takes everything that it offers. */
const REFUSED_FOR: Record<string, Record<string, string> | null> = {
  '/sign-in': { password: 'guessed' },
  '/sign-up': { password: 'x' },
  '/account-types': null,
  '/accounts/ACCOUNT': { name: TOO_LONG },
  '/accounts/ACCOUNT/add-transaction': { date: '1969-12-31' },
  '/accounts/ACCOUNT/delete': { delete_password: 'guessed' },
  '/accounts/ACCOUNT/life': { closed_on: '1990-01-01' },
  '/accounts/ACCOUNT/statements': { date: '1969-12-31' },
  '/accounts/new': { currency: 'XXX' },
  '/connections/new us_provider': { secret: TOO_LONG },
  '/connections/new global_provider': { secret: TOO_LONG },
  '/connections/CONNECTION': { name: TOO_LONG },
  '/connections/CONNECTION/credential': { secret: TOO_LONG },
  '/connections/CONNECTION/remove': null,
  '/keys': { name: TOO_LONG, ...GUESSED },
  '/keys/KEY/rotate': GUESSED,
  '/transactions/TRANSACTION': { amount: 'much' },
  '/settings/appearance': null,
  '/settings/delete': { delete_password: 'guessed' },
  '/settings/invitations': GUESSED,
  '/settings/password': { password: 'guessed' },
  '/settings/second-factor': GUESSED,
  '/settings/time-zone': null,
  ...(isInstalled('webhooks') && {
    '/settings/webhooks': { url: 'nowhere' },
    '/settings/webhooks/WEBHOOK': { url: 'nowhere' },
  }),
};

const SAMPLES: Record<string, string> = { email: 'eve@example.com', date: '2026-03-01', password: 'guessed' };

/** Something else than what stands in the field. */
function typedInto({ name, type, offered, values }: PageField): string[] {
  if (type === 'checkbox') return offered.filter((value) => !values.includes(value));
  if (offered.length > 0) return [offered.findLast((value) => !values.includes(value))!];
  return [SAMPLES[type] ?? `typed as “${name}”`];
}

const NOT_SAVED = 'You were signed out before this was saved. Sign in and enter it again.';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

describe('forms of the pages', () => {
  let test: TestApp;
  let visitor: Visitor;
  let connectionId: string;
  let accountId: string;
  let transactionId: string;
  let webhookId = 'none';
  let importId = 'none';
  let keyId: string;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    visitor = new Visitor(test.url);
    await visitor.signUp(EMAIL, PASSWORD);
    const [user]: { id: string }[] = await test.em().execute('select id from users');
    const connection = await createConnection(test, user!.id);
    const transactions = [transaction('2026-03-02', -100)];
    const account = snapshotAccount({ name: 'Checking', balance: balance(5_000), transactions });
    connectionId = connection.id;
    await writeSnapshot(test, connection, account);
    const [stored]: { id: string }[] = await test.em().execute('select id from accounts');
    accountId = stored!.id;
    const [row]: { id: string }[] = await test.em().execute('select id from transactions');
    transactionId = row!.id;
    if (isInstalled('webhooks')) {
      const webhook = { url: 'https://hooks.example.com/tidemark', event_types: ['sync.finished'] };
      await visitor.submit('/settings/webhooks', webhook, '/settings/webhooks');
      const [endpoint]: { id: string }[] = await test.em().execute('select id from webhook_endpoints');
      webhookId = endpoint!.id;
    }
    if (isInstalled('imports')) {
      const file = new File(['Date,Amount,Text\n2023-01-02,-4.50,Bakery\n'], '2023.csv');
      await visitor.upload('/imports', { account_id: accountId }, file);
      const [preview]: { id: string }[] = await test.em().execute('select id from imports');
      importId = preview!.id;
    }
    const untyped = snapshotAccount({ name: 'Unknown', balance: balance(1_000), suggestedType: null });
    await writeSnapshot(test, connection, untyped);
    await visitor.submit('/keys', { name: 'Spreadsheet', preset: 'read' }, '/keys');
    const [key]: { id: string }[] = await test.em().execute('select id from api_keys');
    keyId = key!.id;
  });
  afterAll(() => test.stop());
  beforeEach(() => visitor.submit('/sign-in', { email: EMAIL, password: PASSWORD }));

  /** Addresses that forms are sent to, with ids of things there are. */
  function addresses(): string[] {
    const { router } = test.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
    const routes = router.stack.flatMap(({ route }) => (route ? [route] : []));
    return routes
      .filter(({ path, methods }) => methods.post && !/^\/(api|mcp|pushes|sandbox)/.test(path))
      .map(({ path }) =>
        path
          .replace(/^(\/accounts\/):id/, `$1${accountId}`)
          .replace(/^(\/transactions\/):id/, `$1${transactionId}`)
          .replace(/^(\/settings\/webhooks\/):id/, `$1${webhookId}`)
          .replace(/^(\/imports\/):id/, `$1${importId}`)
          .replace(':id', connectionId),
      );
  }

  const tokenIn = ({ html }: Visit) => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';

  it('opening the address of any form leads to a page', async () => {
    const found: Record<string, number> = {};
    for (const address of addresses()) {
      const answer = await visitor.get(address);
      found[address] = answer.status === 303 ? (await visitor.follow(answer)).status : answer.status;
    }
    expect(Object.keys(found).length).toBeGreaterThan(20);
    // Who is signed in is led on from the pages to sign in and up.
    expect(Object.entries(found).filter(([, status]) => status !== 200 && status !== 303)).toEqual([]);
  });

  /** Its address, with what it is of in place of the id, and with the provider where two forms have one address. */
  function nameOf({ action, hidden: { provider } }: PageForm): string {
    const ids = {
      ACCOUNT: accountId,
      TRANSACTION: transactionId,
      CONNECTION: connectionId,
      KEY: keyId,
      WEBHOOK: webhookId,
    };
    const address = Object.entries(ids).reduce((text, [word, id]) => text.replace(id, word), action);
    return provider ? `${address} ${provider}` : address;
  }

  /** All that a person can fill in, each with the page that it is on. */
  async function formsOfAllPages(): Promise<[page: string, form: PageForm, by: Visitor][]> {
    await test.em().execute('update sessions set password_given_at = null');
    const pages = [
      '/',
      '/account-types',
      `/accounts/${accountId}`,
      `/transactions/${transactionId}`,
      '/accounts/new',
      '/connections',
      '/connections/new',
      `/connections/${connectionId}`,
    ];
    pages.push(
      '/keys',
      '/settings',
      '/settings/second-factor',
      ...(isInstalled('webhooks') ? ['/settings/webhooks', `/settings/webhooks/${webhookId}`] : []),
    );
    const found: [string, PageForm, Visitor][] = [];
    const stranger = new Visitor(test.url);
    for (const [by, paths] of [
      [visitor, pages],
      [stranger, ['/sign-in', '/sign-up']],
    ] as const) {
      for (const page of paths) for (const form of formsIn((await by.get(page)).html)) found.push([page, form, by]);
    }
    return found;
  }

  it('every refused form shows its entered values again, except secrets', async () => {
    const forms = await formsOfAllPages();
    expect(forms.map(([, form]) => nameOf(form)).sort()).toEqual(Object.keys(REFUSED_FOR).sort());
    for (const [page, form, by] of forms) {
      const refusedFor = REFUSED_FOR[nameOf(form)];
      if (!refusedFor) continue;
      const typed = form.fields.map((field): [string, string[]] => {
        const wrong = refusedFor[field.name];
        return [field.name, wrong === undefined ? typedInto(field) : [wrong]];
      });
      const { status, html } = await by.submit(form.action, { ...Object.fromEntries(typed), ...form.hidden }, page);
      expect([nameOf(form), status]).toEqual([nameOf(form), 422]);
      const again = formsIn(html).find((one) => nameOf(one) === nameOf(form))!;
      const secrets = form.fields.filter(({ type, name }) => type === 'password' || name === 'secret');
      const isSecret = (name: string) => secrets.some((field) => field.name === name);
      const shown = again.fields.map(({ name, values }) => [name, values]);
      const expected = typed.map(([name, values]) => [name, isSecret(name) ? [''] : values]);
      expect([nameOf(form), shown]).toEqual([nameOf(form), expected]);
    }
  });

  it('a form sent with an ended session leads to the sign-in, which says so, and then to its empty page', async () => {
    const form_token = tokenIn(await visitor.get('/settings'));
    await test.em().execute('delete from sessions');
    const silent: string[] = [];
    const nextOf = new Map<string, string>();
    for (const address of addresses().filter((path) => !/^\/sign-(in|up)/.test(path))) {
      const asked = await visitor.post(address, { form_token, name: 'Typed' });
      const location = asked.headers.get('location')!;
      expect(location).not.toContain('Typed');
      nextOf.set(address, new URL(location, test.url).searchParams.get('next') ?? '/');
      if (!(await visitor.follow(asked)).text.includes(NOT_SAVED)) silent.push(address);
    }
    // To sign out is the one form that an ended session carries out.
    expect(silent).toEqual(['/sign-out']);
    await visitor.submit('/sign-in', { email: EMAIL, password: PASSWORD });
    for (const [address, next] of nextOf) expect([address, (await visitor.get(next)).status]).toEqual([address, 200]);
  });

  it('a sign-up form that is sent twice signs the new user in twice', async () => {
    const twice = new Visitor(test.url);
    const answers = await Promise.all([1, 2].map(() => twice.signUp('twice@example.com', PASSWORD)));
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, '/'],
      [303, '/'],
    ]);
    expect((await new Visitor(test.url).signUp('twice@example.com', 'another horse')).text).toContain('already exists');
  });

  it('the form that removes a connection may be sent twice and says that it is removed', async () => {
    const form_token = tokenIn(await visitor.get('/settings'));
    for (let i = 0; i < 2; i++) {
      const answer = await visitor.post(`/connections/${connectionId}/remove`, { form_token, history: 'keep' });
      expect(answer.status).toBe(303);
      expect((await visitor.follow(answer)).text).toContain('The connection was removed.');
    }
  });

  it('the form that deletes an account may be sent twice', async () => {
    const form_token = tokenIn(await visitor.get('/settings'));
    for (let i = 0; i < 2; i++) {
      const answer = await visitor.post(`/accounts/${accountId}/delete`, { form_token, delete_password: PASSWORD });
      expect(answer.status).toBe(303);
      expect((await visitor.follow(answer)).status).toBe(200);
    }
  });
});
