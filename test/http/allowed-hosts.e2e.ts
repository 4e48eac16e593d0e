import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { startTestApp, type TestApp } from '../support/app.js';
import { rawRequest } from '../support/raw-request.js';
import { Visitor } from '../../src/kit/visitor.js';

/** An address of this machine besides loopback's, for a service that listens on all of them. */
const OWN_ADDRESS = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('ALLOWED_HOSTS and the Host header', () => {
  let test: TestApp | null = null;
  let running: string | null = null;

  const stop = async () => {
    await test?.stop();
    test = null;
  };
  afterAll(stop);

  /** The service with these settings; the running one if it has them. */
  const start = async (environment: NodeJS.ProcessEnv = {}) => {
    if (running === JSON.stringify(environment)) return;
    await stop();
    test = await startTestApp(environment);
    running = JSON.stringify(environment);
  };
  const ask = (host: string | string[], path = '/license', more: Record<string, string> = {}) =>
    rawRequest(new URL(path, test!.url).href.replace('0.0.0.0', '127.0.0.1'), {
      headers: [...[host].flat().flatMap((each) => ['Host', each]), ...Object.entries(more).flat()],
    });
  const statusFor = async (host: string | string[], more: Record<string, string> = {}) =>
    (await ask(host, '/license', more)).status;

  it('a request with a foreign host is refused with 421 on every path before anything is done', async () => {
    await start({ SANDBOX: '1' });
    for (const path of ['/', '/sign-up', '/sign-in', '/nowhere']) {
      const { status, headers, text } = await ask('evil.example:3000', path);
      expect([path, status, headers['content-type']]).toEqual([path, 421, 'text/html; charset=utf-8']);
      expect(text).toContain('does not answer for the host evil.example');
      expect(text).toContain('ALLOWED_HOSTS');
    }
    const programs = ['/api/v1/balances', '/api/nothing', '/metrics', '/docs', '/openapi.json'];
    for (const path of [...programs, '/sandbox/us/create']) {
      const { status, headers, text } = await ask('evil.example', path);
      expect([path, status, JSON.parse(text).error]).toEqual([path, 421, 'misdirected_request']);
      expect(headers['x-request-id']).toBeDefined();
    }
  });

  it('a health check is answered whatever its host is', async () => {
    await start();
    for (const path of ['/health/live', '/health/ready']) {
      for (const host of ['192.0.2.10:3000', 'evil.example']) expect((await ask(host, path)).status).toBe(200);
      const { port } = new URL(test!.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
    }
  });

  it('a page of a foreign host cannot create the first user', async () => {
    await start();
    const { status } = await rawRequest(`${test!.url}/sign-up`, {
      method: 'POST',
      headers: {
        host: 'evil.example',
        origin: 'http://evil.example',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ email: 'eve@example.com', password: 'correct horse' }).toString(),
    });
    expect(status).toBe(421);
    expect(await test!.em().execute('select 1 from users')).toEqual([]);
  });

  it.each([
    'localhost',
    'LocalHost:3000',
    'localhost.',
    'tidemark.localhost:80',
    '127.0.0.1',
    '127.9.9.9:1',
    '[::1]:9',
  ])('the host %s is accepted whatever ALLOWED_HOSTS is', async (host) => {
    await start({ ALLOWED_HOSTS: 'money.example.org' });
    expect(await statusFor(host)).toBe(200);
  });

  it.each([...['127.0.0.1.evil.example', 'notlocalhost', '127.1', '2130706433', '0.0.0.0', '192.0.2.1', '[::2]']])(
    'the host %j is refused with 421',
    async (host) => {
      await start();
      expect(await statusFor(host)).toBe(421);
    },
  );

  it.each([
    ...['', ' ', 'a b', 'local host', 'localhost:port', 'localhost@evil.example', 'localhost,evil.example'],
    ...['[', 'ü.example', ['localhost', 'localhost']],
  ])('the host %j is refused as malformed', async (host) => {
    await start();
    expect(await statusFor(host)).toBe(400);
  });

  it('a host is accepted if it is configured or matches a configured wildcard', async () => {
    await start({ ALLOWED_HOSTS: 'Money.example.org, *.home.example, [fd00::5]' });
    for (const host of [
      'money.example.org:8443',
      'MONEY.EXAMPLE.ORG',
      'a.home.example',
      'a.b.home.example',
      '[fd00::5]',
    ])
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    for (const host of ['home.example', 'evilhome.example', 'x.money.example.org', 'money.example.org.evil.example'])
      expect([host, await statusFor(host)]).toEqual([host, 421]);
  });

  it('the address that the service listens on is accepted as a host', async () => {
    await start({ HOST: '0.0.0.0' });
    expect(await statusFor('127.0.0.1')).toBe(200);
    if (!OWN_ADDRESS) return;
    const own = await rawRequest(`http://${OWN_ADDRESS}:${new URL(test!.url).port}/license`, {});
    expect(own.status).toBe(200);
    expect(await statusFor(OWN_ADDRESS)).toBe(421);
  });

  it('a host that a trusted proxy forwards is accepted if it is configured', async () => {
    await start({ TRUSTED_PROXIES: 'loopback', ALLOWED_HOSTS: 'money.example.org' });
    const forwarded = (name: string) => ({ 'X-Forwarded-Host': name });
    expect(await statusFor('localhost', forwarded('money.example.org'))).toBe(200);
    expect(await statusFor('localhost', forwarded('evil.example'))).toBe(421);
    // Whoever reaches the service past its proxy can write the header.
    expect(await statusFor('evil.example', forwarded('money.example.org'))).toBe(421);
  });

  it('a forwarded host is ignored if the proxy is not trusted', async () => {
    await start();
    const visitor = new Visitor(test!.url);
    await visitor.signUp();
    const { html } = await visitor.get('/settings');
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
    };
    const made = await visitor.post('/settings/invitations', { form_token: token }, headers);
    const page = await visitor.get(made.headers.get('location') ?? '', headers);
    expect(page.html).toContain(`${test!.url}/sign-up?invitation=`);
    expect(page.html).not.toContain('evil.example');
  });
});

describe('TRUST_PROXY', () => {
  let test: TestApp | null = null;

  afterEach(async () => {
    await test?.stop();
    test = null;
  });

  const invitationSeenBy = async (environment: NodeJS.ProcessEnv) => {
    test = await startTestApp({ ALLOWED_HOSTS: 'money.example.org', ...environment });
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': '203.0.113.9, 192.0.2.7',
      'X-Forwarded-Proto': 'https, http',
      'X-Forwarded-Host': 'money.example.org',
    };
    const visitor = new Visitor(test.url);
    const fields = { email: 'anna@example.com', password: 'correct horse' };
    const cookie = (await visitor.post('/sign-up', fields, headers)).headers.get('set-cookie');
    const { html } = await visitor.get('/settings', headers);
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const made = await visitor.post('/settings/invitations', { form_token: token }, headers);
    const page = await visitor.get(made.headers.get('location') ?? '', headers);
    return { cookie, invitation: /(https?:\/\/[^/]+)\/sign-up\?invitation=/.exec(page.html)?.[1] };
  };

  it('a trusted proxy sets the protocol and the host, also behind another proxy', async () => {
    const { cookie, invitation } = await invitationSeenBy({ TRUSTED_PROXIES: '127.0.0.1/32, 192.0.2.7' });
    expect(cookie).toMatch(/^__Host-tidemark=.*; Secure;/);
    expect(invitation).toBe('https://money.example.org');
  });

  it('no proxy is trusted by default', async () => {
    const { cookie, invitation } = await invitationSeenBy({});
    expect(cookie).not.toContain('Secure');
    expect(invitation).toBe(test!.url);
  });
});
