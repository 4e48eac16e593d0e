import { startTestApp, type TestApp } from '../support/app.js';
import { Visitor } from '../../src/kit/visitor.js';

const PASSWORD = 'correct horse';

describe('sign-up and sign-in pages', () => {
  let test: TestApp;
  let first: Visitor;

  beforeAll(async () => {
    test = await startTestApp({ TRUSTED_PROXIES: 'loopback' });
    first = new Visitor(test.url);
  });
  afterAll(() => test.stop());

  it('a first visitor gets the sign-up page, with errors beside the fields', async () => {
    expect((await first.get('/')).headers.get('location')).toBe('/sign-in');
    expect((await first.get('/sign-in')).headers.get('location')).toBe('/sign-up');
    const refused = await first.post('/sign-up', { email: 'anna', password: 'short' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="email-error"');
    expect(refused.html).toContain('Use at least 8 characters.');
    expect(refused.html).not.toContain('short"');
    const common = await first.post('/sign-up', { email: 'anna@example.com', password: 'Baseball' });
    expect([common.status, common.text]).toEqual([422, expect.stringContaining('among the most common ones')]);
  });

  it('every page names the version and the license, and the source if the operator configured it', async () => {
    const page = '/sign-up';
    const { html } = await first.get(page);
    expect(html).toMatch(/<footer class="foot"><span>Tidemark \d+\.\d+\.\d+<\/span><a href="\/license"/);
    expect((await first.get('/license')).html).toContain('GNU AFFERO GENERAL PUBLIC LICENSE');
    expect(html).not.toContain('Source code');
    const changed = await startTestApp({ SOURCE_URL: 'https://git.example.org/tidemark' }, test.clock, test.database);
    try {
      expect((await new Visitor(changed.url).get(page)).html).toContain('href="https://git.example.org/tidemark"');
    } finally {
      await changed.stop();
    }
  });

  it('the first user is signed in after signing up', async () => {
    const answer = await first.signUp();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^tidemark=[\w-]{43}; Max-Age=7776000; Path=\/;.*HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^tidemark-device=[\w.-]+; Max-Age=34560000; Path=\/;.*HttpOnly; SameSite=Lax$/),
    ]);
    const home = await first.get('/');
    expect(home.status).toBe(200);
    expect(home.headers.get('cache-control')).toBe('no-store');
    expect(home.html).toContain('Connect your first bank');
  });

  it('the session cookie has the __Host- prefix on encrypted connections', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-Proto': 'https' };
    const answer = await new Visitor(test.url).post(
      '/sign-in',
      { email: 'anna@example.com', password: PASSWORD },
      headers,
    );
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-tidemark=.*Path=\/;.*HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-tidemark-device=.*Path=\/;.*HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('a second user cannot sign up without an invitation', async () => {
    const stranger = new Visitor(test.url);
    expect((await stranger.get('/sign-up')).status).toBe(403);
    expect((await stranger.signUp('eve@example.com')).status).toBe(403);
    const { html } = await stranger.get('/sign-up?invitation=guessed');
    expect(html).toContain('This invitation cannot be used');
    expect(html).toContain('<a class="button" href="/sign-in">Sign in</a>');
  });

  it('a user can sign out, and in again to the page that was requested', async () => {
    const visitor = new Visitor(test.url);
    const asked = await visitor.get('/?range=all');
    expect(asked.headers.get('location')).toBe('/sign-in?next=%2F%3Frange%3Dall');
    const fields = { email: ' Anna@Example.com', password: PASSWORD, next: '/?range=all' };
    expect((await visitor.submit('/sign-in', fields)).headers.get('location')).toBe('/?range=all');
    const cookie = visitor.cookie('tidemark');
    expect((await visitor.submit('/sign-out', {}, '/')).headers.get('location')).toBe('/sign-in');
    expect(visitor.cookie('tidemark')).toBeUndefined();
    const again = await new Visitor(test.url).get('/', { cookie: `tidemark=${cookie}` });
    expect(again.headers.get('location')).toBe('/sign-in?notice=ended');
  });

  it('a sign-in does not redirect to another site', async () => {
    const fields = { email: 'anna@example.com', password: PASSWORD, next: '//evil.example/' };
    expect((await new Visitor(test.url).submit('/sign-in', fields)).headers.get('location')).toBe('/');
  });

  it('a session ends when it was not used for a month', async () => {
    const visitor = new Visitor(test.url);
    await visitor.submit('/sign-in', { email: 'anna@example.com', password: PASSWORD });
    test.clock.set('2026-04-14T11:00:00Z');
    expect((await visitor.get('/')).status).toBe(200);
    test.clock.set('2026-05-14T10:00:00Z');
    expect((await visitor.get('/')).status).toBe(200);
    test.clock.set('2026-06-14T10:00:00Z');
    expect((await visitor.get('/')).status).toBe(303);
  });

  it('session tokens are stored as hashes only', async () => {
    const visitor = new Visitor(test.url);
    await visitor.submit('/sign-in', { email: 'anna@example.com', password: PASSWORD });
    const rows: { all: string }[] = await test.em().execute(`select s::text as all from sessions s`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ all }) => all.includes(visitor.cookie('tidemark') ?? '-'))).toBe(false);
  });
});

describe('the pages of a service where everybody may sign up', () => {
  let test: TestApp;
  let visitor: Visitor;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    visitor = new Visitor(test.url);
    await visitor.signUp();
    await new Visitor(test.url).signUp('bert@example.com');
  });
  afterAll(() => test.stop());

  describe('a form', () => {
    beforeAll(() => visitor.submit('/sign-in', { email: 'anna@example.com', password: PASSWORD }));

    it.each([
      ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
      ['a neighbouring host', { 'Sec-Fetch-Site': 'same-site' }],
      ['another origin', { Origin: 'https://evil.example' }],
      ['a page that hides its origin', { Origin: 'null' }],
      ['nowhere', {}],
    ])('from %s is refused', async (_, headers: Record<string, string>) => {
      const { html } = await visitor.get('/');
      const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
      expect((await visitor.post('/sign-out', { form_token: token }, headers)).status).toBe(403);
      expect((await visitor.get('/')).status).toBe(200);
    });

    it('without the session’s token does nothing, even from our own pages, and leads to its page', async () => {
      const sent: Record<string, string>[] = [{}, { form_token: 'x'.repeat(86) }];
      for (const fields of sent) {
        const { status, text, html } = await visitor.post('/settings/time-zone', fields);
        expect([status, text]).toEqual([403, expect.stringContaining('This form was not sent')]);
        expect(html).toContain('<a class="button" href="/settings">Open its page</a>');
      }
      expect((await visitor.get('/settings')).status).toBe(200);
    });

    it('to sign in is taken where another tab has signed in since it was opened', async () => {
      const fields = { email: 'anna@example.com', password: PASSWORD, next: '/keys' };
      const answer = await visitor.post('/sign-in', fields);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/keys']);
      expect((await visitor.get('/keys')).status).toBe(200);
      expect((await visitor.post('/sign-in', fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    });

    it('from our own origin is taken where the browser says nothing more', async () => {
      const answer = await new Visitor(test.url).post(
        '/sign-in',
        { email: 'anna@example.com', password: PASSWORD },
        { Origin: test.url },
      );
      expect(answer.status).toBe(303);
    });

    it('is no way into the API', async () => {
      const { html } = await visitor.get('/');
      const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
      expect((await visitor.post('/api/v1/connections', { form_token: token, provider: 'us_provider' })).status).toBe(
        401,
      );
    });
  });

  describe('a lost session', () => {
    /** Whatever page was open when the session ended somewhere else. */
    async function openPageAndLoseSession(path: string): Promise<string> {
      await visitor.submit('/sign-in', { email: 'anna@example.com', password: PASSWORD });
      const { html } = await visitor.get(path);
      await test.em().execute('delete from sessions');
      return /name="form_token" value="([^"]+)"/.exec(html)![1]!;
    }

    it('says so, and leads back to the page', async () => {
      await openPageAndLoseSession('/keys');
      const { headers } = await visitor.get('/settings/activity?page=2');
      expect(headers.get('location')).toBe('/sign-in?next=%2Fsettings%2Factivity%3Fpage%3D2&notice=ended');
      expect((await visitor.get(headers.get('location')!)).text).toContain('You were signed out. Sign in to continue.');
    });

    it('leads back to the page of which a part was asked for', async () => {
      await openPageAndLoseSession('/keys');
      const partOf = async (page: string) => {
        const headers = { 'HX-Request': 'true', 'HX-Current-URL': page };
        return (await visitor.get('/transactions/transactions?search=rent', headers)).headers.get('hx-redirect');
      };
      expect(await partOf(`${test.url}/transactions?search=ren&page=1`)).toBe(
        '/sign-in?next=%2Ftransactions%3Fsearch%3Dren%26page%3D1&notice=ended',
      );
      for (const page of ['https://evil.example/keys', 'nonsense', `${test.url}/`])
        expect(await partOf(page)).toBe('/sign-in?notice=ended');
    });
  });

  describe('the address of a form', () => {
    it('leads to its page', async () => {
      await visitor.submit('/sign-in', { email: 'anna@example.com', password: PASSWORD });
      const id = '00000000-0000-4000-8000-000000000000';
      const pages: [string, string][] = [
        ['/settings/invitations', '/settings'],
        ['/settings/delete', '/settings'],
        ['/settings/second-factor/confirm', '/settings/second-factor'],
        [`/settings/sessions/${id}/end`, '/settings'],
        [`/keys/${id}/revoke`, '/keys'],
        [`/connections/${id}/remove`, `/connections/${id}`],
        ['/sign-in/code', '/sign-in'],
        ['/sign-out', '/'],
      ];
      for (const [path, page] of pages) {
        const { status, headers } = await visitor.get(path);
        expect([path, status, headers.get('location')]).toEqual([path, 303, page]);
      }
      expect((await visitor.get('/api/v1/me', { accept: 'text/html' })).status).toBe(401);
    });
  });

  describe('guessing passwords', () => {
    it('gives the same answer to unknown addresses and wrong passwords', async () => {
      const visitor = new Visitor(test.url);
      const unknown = await visitor.submit('/sign-in', { email: 'eve@example.com', password: 'x' });
      const wrong = await visitor.submit('/sign-in', { email: 'bert@example.com', password: 'x' });
      expect([unknown.status, wrong.status]).toEqual([422, 422]);
      expect(unknown.html.replaceAll('eve@', 'bert@')).toBe(wrong.html);
    });
  });

  describe('what the pages are served with', () => {
    it('allows scripts and everything else from here only', async () => {
      const { headers, html } = await new Visitor(test.url).get('/sign-up');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      for (const name of ['cross-origin-opener-policy', 'cross-origin-resource-policy'])
        expect(headers.get(name)).toBe('same-origin');
      expect(html).not.toMatch(/ style=| on\w+=|https?:\/\/(?!www\.w3\.org)/);
    });

    it('keeps assets for ever under the hash of their content, compressed', async () => {
      const { html } = await new Visitor(test.url).get('/sign-up');
      const urls = [...html.matchAll(/\/assets\/[\w.-]+/g)].map(([url]) => url);
      expect(urls.length).toBeGreaterThanOrEqual(4);
      for (const url of urls) {
        const answer = await fetch(test.url + url, { headers: { 'Accept-Encoding': 'br' } });
        expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        const isAsItIs = /\.(woff2|png)$/.test(url);
        expect([url, answer.headers.get('content-encoding')]).toEqual([url, isAsItIs ? null : 'br']);
      }
      expect((await fetch(`${test.url}/assets/tidemark.0000000000.css`)).status).toBe(404);
    });

    it.each([
      ['br;q=0, gzip', 'gzip'],
      ['gzip, br', 'br'],
      ['identity, br;q=0, gzip;q=0', null],
    ])('compresses assets for %s as %s', async (accepted, encoding) => {
      const { html } = await new Visitor(test.url).get('/sign-up');
      const [style] = /\/assets\/[\w.-]+\.css/.exec(html)!;
      const answer = await fetch(test.url + style, { headers: { 'Accept-Encoding': accepted } });
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding]);
      expect(await answer.text()).toContain('{');
    });

    it('shows a person a page and a program an error where nothing is', async () => {
      const visitor = new Visitor(test.url);
      const page = await visitor.get('/nowhere');
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.html).toContain('Page not found');
      const answer = await visitor.get('/api/v1/nowhere');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    });

    it('says in plain words that a form was too large or could not be read', async () => {
      const visitor = new Visitor(test.url);
      const large = await visitor.post('/sign-in', { email: 'x'.repeat(2_000_000) });
      expect([large.status, large.text]).toEqual([413, expect.stringContaining('This is too large Go back')]);
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=nonsense', Origin: test.url };
      const answer = await fetch(`${test.url}/sign-in`, { method: 'POST', body: 'email=x', headers });
      const html = await answer.text();
      expect(html).toContain('This could not be read');
      expect(html).not.toContain('JSON');
    });

    it('takes no word in an address for one that every object knows', async () => {
      const visitor = new Visitor(test.url);
      await visitor.signUp('cleo@example.com');
      for (const path of ['/settings?done=constructor', '/transactions?pending=toString', '/settings?done=__proto__']) {
        const { status, html } = await visitor.get(path);
        expect([path, status, html.includes('class="notice')]).toEqual([path, 200, false]);
      }
      const { html } = await new Visitor(test.url).get('/sign-in?notice=constructor');
      expect(html).not.toContain('class="notice');
    });

    it('shows a page of its own when something fails, without a word of the inside', async () => {
      await test.em().execute('alter table sessions rename to sessions_away');
      const page = await new Visitor(test.url).get('/', { cookie: 'tidemark=x' });
      await test.em().execute('alter table sessions_away rename to sessions');
      expect(page.status).toBe(500);
      expect(page.html).toContain('Something went wrong');
      expect(page.html).toContain(page.headers.get('x-request-id'));
      expect(page.html).not.toContain('sessions');
    });
  });
});
