import type { OpenAPIObject } from '@nestjs/swagger';
import { startTestApp, type TestApp } from '../support/app.js';
import { Visitor } from '../../src/kit/visitor.js';

const BASE = '/tidemark';

/** Every address that a page names. */
const addressesIn = (html: string) =>
  [...html.matchAll(/ (?:href|src|action|hx-get)="(\/[^"]*)"/g)].map(([, address]) => address!);

describe('BASE_PATH', () => {
  let tidemark: TestApp;
  let anna: Visitor;

  beforeAll(async () => {
    tidemark = await startTestApp({
      BASE_PATH: `${BASE}/`,
      TRUSTED_PROXIES: 'loopback',
      ALLOWED_HOSTS: 'money.example',
    });
    anna = new Visitor(tidemark.url);
    await anna.signUp();
  });
  afterAll(() => tidemark.stop());

  it('pages link only to addresses under BASE_PATH, whether the proxy strips it or not', async () => {
    for (const path of ['/', '/connections', '/connections/new', '/keys', '/settings', '/transactions']) {
      for (const prefix of ['', BASE]) {
        const { status, html } = await anna.get(prefix + path);
        const addresses = addressesIn(html);
        expect([path, status, addresses.filter((address) => !address.startsWith(`${BASE}/`))]).toEqual([path, 200, []]);
        expect(addresses.length).toBeGreaterThan(8);
      }
    }
    expect((await anna.get(BASE)).status).toBe(200);
    expect((await anna.get(`${BASE}beside`)).status).toBe(404);
  });

  it('redirects lead to addresses under BASE_PATH', async () => {
    const stranger = new Visitor(tidemark.url);
    expect((await stranger.get('/keys')).headers.get('location')).toBe(`${BASE}/sign-in?next=%2Fkeys`);
    const part = { 'hx-request': 'true', 'hx-current-url': `${tidemark.url}${BASE}/keys` };
    expect((await stranger.get('/transactions/transactions', part)).headers.get('hx-redirect')).toBe(
      `${BASE}/sign-in?next=%2Fkeys`,
    );
    const made = await anna.submit('/keys', { name: 'sheet', preset: 'full' });
    expect(made.headers.get('location')).toMatch(/^\/tidemark\/keys/);
  });

  it('assets under BASE_PATH refer to each other by relative addresses', async () => {
    const { html } = await anna.get('/settings');
    const files = addressesIn(html).filter((address) => /\/assets\//.test(address));
    const named = await Promise.all(
      files.map(async (file) => {
        const response = await fetch(tidemark.url + file);
        expect([file, response.status]).toEqual([file, 200]);
        const text = /\.(css|webmanifest)$/.test(file) ? await response.text() : '';
        return [...text.matchAll(/url\(([^)]+woff2)\)|"(?:src|start_url)":"([^"]+)"/g)].map(
          ([, font, other]) => new URL((font ?? other)!, tidemark.url + file),
        );
      }),
    );
    expect(named.flat()).toHaveLength(5);
    for (const { pathname } of named.flat()) expect(pathname).toMatch(/^\/tidemark\/(assets\/.+)?$/);
  });

  it('the session cookie is limited to BASE_PATH', async () => {
    const https = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-Proto': 'https' };
    const fields = { email: 'anna@example.com', password: 'correct horse' };
    const { headers } = await new Visitor(tidemark.url).post('/sign-in', fields, https);
    expect(headers.get('set-cookie')).toMatch(/^__Secure-tidemark=.*; Path=\/tidemark; .*Secure/);
  });

  it('addresses in API responses include BASE_PATH', async () => {
    const made = await anna.follow(await anna.submit('/keys', { name: 'program', preset: 'full' }));
    const [, key] = /(tm_\w+)/.exec(made.html)!;
    const headers = { 'X-Api-Key': key!, 'X-Forwarded-Host': 'money.example', 'X-Forwarded-Proto': 'https' };
    const list = await fetch(`${tidemark.url}/api/v1/balances`, { headers });
    expect(list.headers.get('link')).toContain('<https://money.example/tidemark/api/v1/balances?page=1>; rel="first"');
    const document = (await (await fetch(`${tidemark.url}/openapi.json`)).json()) as OpenAPIObject;
    expect(document.servers![0]!.url).toBe(BASE);
    expect(document.info.description).toContain(`[API keys](${BASE}/keys)`);
    for (const page of ['/docs', '/docs/']) {
      const { html } = await anna.get(page);
      const files = [...html.matchAll(/<script src="([^"]+)"/g)].map(
        ([, file]) => new URL(file!, `http://host${BASE}${page}`),
      );
      expect(files.map(({ pathname }) => pathname)).toContain(`${BASE}/docs/swagger-ui-init.js`);
    }
  });
});
