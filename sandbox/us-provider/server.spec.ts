import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterThisTest } from '../../test/support/after-this-test.js';
import { startUsSandbox, type LocalUsSandbox } from './local-server.js';
import { sandboxSetupToken } from './setup-token.js';
import { createUsSandbox } from './server.js';

let sandbox: LocalUsSandbox;
beforeAll(async () => {
  sandbox = await startUsSandbox({ today: () => '2026-11-21' });
});
afterAll(() => sandbox.close());

const claimUrl = (setupToken: string) => Buffer.from(setupToken, 'base64').toString();
const claim = (setupToken: string) => fetch(claimUrl(setupToken), { method: 'POST' });

async function access(scenario: string) {
  const url = new URL((await (await claim(sandbox.setupToken(scenario))).text()).trim());
  const basic = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString(
    'base64',
  );
  return { url: `${url.origin}${url.pathname}`, headers: { Authorization: `Basic ${basic}` } };
}

describe('setup tokens of the US sandbox', () => {
  it('a setup token of the sandbox holds a claim URL, which returns an access URL with credentials', async () => {
    const token = sandboxSetupToken(sandbox.url, 'healthy', 'k3j2');
    expect(claimUrl(token)).toBe(`${sandbox.url}/sandbox/us/claim/healthy-k3j2`);
    const answer = await claim(token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch('text/plain');
    expect(await answer.text()).toMatch(/^http:\/\/[0-9A-F]+:[0-9A-F]{64}@127\.0\.0\.1:\d+\/sandbox\/us\n$/);
  });

  it('a setup token of the sandbox works once, and used, unknown and malformed ones are refused alike', async () => {
    const token = sandbox.setupToken('healthy');
    await claim(token);
    const refused = [
      token,
      sandboxSetupToken(sandbox.url, 'no-such-thing', 'abc'),
      sandboxSetupToken(sandbox.url, 'x', '!'),
    ];
    for (const one of refused) {
      const answer = await claim(one);
      expect([answer.status, await answer.text()]).toEqual([403, 'Forbidden\n']);
    }
  });

  it('only one of two simultaneous claims of a setup token succeeds', async () => {
    const token = sandbox.setupToken('healthy');
    const answers = await Promise.all([claim(token), claim(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('the US sandbox creates a fresh setup token each time, with the list of scenarios', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(async () => jsonOf(await fetch(`${sandbox.url}/sandbox/us/create`))),
    );
    expect(one.setup_token).not.toBe(two.setup_token);
    expect(one.scenarios).toContainEqual({ name: 'healthy', plays: expect.any(String) });
    expect((await claim(one.setup_token)).status).toBe(200);
  });

  it('the US sandbox creates a setup token for a scenario and shows it as a page in a browser', async () => {
    const headers = { Accept: 'text/html,*/*' };
    const page = await (await fetch(`${sandbox.url}/sandbox/us/create?scenario=revoked`, { headers })).text();
    const token = /<code>([^<]+)<\/code>/.exec(page)![1]!;
    expect(claimUrl(token)).toContain('/claim/revoked-');
    expect((await fetch(`${sandbox.url}/sandbox/us/create?scenario=nope`)).status).toBe(404);
  });
});

describe('accounts of the US sandbox', () => {
  it('the US sandbox returns its accounts to a client with valid credentials', async () => {
    const { url, headers } = await access('healthy');
    const answer = await fetch(`${url}/accounts?version=2`, { headers });
    expect(answer.status).toBe(200);
    expect((await jsonOf(answer)).accounts).toHaveLength(6);
  });

  it.each([
    ['none', ''],
    ['of an unknown user', `Basic ${Buffer.from('demo:demo').toString('base64')}`],
    ['a bearer token', 'Bearer x'],
  ])('the US sandbox refuses accounts for wrong credentials: %s', async (_, authorization) => {
    const headers = { Authorization: authorization };
    const answer = await fetch(`${sandbox.url}/sandbox/us/accounts?version=2`, { headers });
    expect(answer.status).toBe(403);
    expect(await jsonOf(answer)).toEqual({
      errlist: [{ code: 'gen.auth', msg: 'Forbidden' }],
      accounts: [],
      connections: [],
    });
  });

  it('the US sandbox refuses accounts with an HTML page in protocol v1', async () => {
    const answer = await fetch(`${sandbox.url}/sandbox/us/accounts`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });

  it('the US sandbox refuses accounts for a wrong password', async () => {
    const url = new URL((await (await claim(sandbox.setupToken('healthy'))).text()).trim());
    const headers = { Authorization: `Basic ${Buffer.from(`${url.username}:guess`).toString('base64')}` };
    expect((await fetch(`${sandbox.url}/sandbox/us/accounts`, { headers })).status).toBe(403);
  });

  it('an access URL of the US sandbox stays valid after a restart', async () => {
    const { headers } = await access('healthy');
    const restarted = await startUsSandbox({ today: () => '2026-11-21' });
    afterThisTest(() => restarted.close());
    const answer = await fetch(`${restarted.url}/sandbox/us/accounts`, { headers });
    expect(answer.status).toBe(200);
  });

  it('the US sandbox answers 400 to a request in protocol version 3', async () => {
    const { url, headers } = await access('healthy');
    expect((await fetch(`${url}/accounts?version=3`, { headers })).status).toBe(400);
  });

  it('transactions of the US sandbox are added as days go by', async () => {
    let today = '2026-11-20';
    const travelling = await startUsSandbox({ today: () => today });
    afterThisTest(() => travelling.close());
    const { headers } = await access('healthy');
    const checking = async () => {
      const url = `${travelling.url}/sandbox/us/accounts?start-date=1794700800`;
      const { accounts } = await jsonOf(await fetch(url, { headers }));
      return accounts[0].transactions.map(({ id }: { id: string }) => id);
    };
    const before = await checking();
    today = '2026-11-21';
    const after = await checking();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBe(before.length + 2);
  });
});

describe('other routes of the US sandbox', () => {
  it('the US sandbox serves versions and custom currencies without credentials', async () => {
    const info = await fetch(`${sandbox.url}/sandbox/us/info`);
    expect(await info.json()).toEqual({ versions: ['1.0'] });
    const currency = await fetch(`${sandbox.url}/sandbox/us/currency/globetrot-miles`);
    expect(await currency.json()).toEqual({ name: 'Globetrot Miles', abbr: 'miles' });
  });

  it.each([
    ['POST', '/sandbox/us/accounts'],
    ['POST', '/sandbox/us/'],
    ['GET', '/sandbox/us/claim/healthy-k3j2'],
    ['GET', '/sandbox/us/currency/unheard-of'],
    ['GET', '/sandbox/usual'],
    ['GET', '/'],
  ])('the US sandbox answers 404 to %s %s', async (method, path) => {
    expect((await fetch(sandbox.url + path, { method })).status).toBe(404);
  });

  it('an access URL of the US sandbox can be switched to another scenario', async () => {
    const { url, headers } = await access('healthy');
    const code = Buffer.from(Buffer.from(headers.Authorization.slice(6), 'base64').toString().split(':')[0]!, 'hex');
    const play = (scenario: string) => fetch(`${url}/play/${code.toString()}?scenario=${scenario}`, { method: 'POST' });
    expect((await play('payment-required')).status).toBe(200);
    expect((await fetch(`${url}/accounts`, { headers })).status).toBe(402);
    expect((await play('healthy')).status).toBe(200);
    expect((await fetch(`${url}/accounts`, { headers })).status).toBe(200);
    expect((await play('no-such-thing')).status).toBe(404);
  });
});

describe('createUsSandbox', () => {
  it('the US sandbox passes on requests outside its path', async () => {
    const handler = createUsSandbox({ today: () => '2026-11-21' });
    const server = createServer((request, response) => handler(request, response, () => response.end('handed on')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/api/v1/me`)).text()).toBe('handed on');
    await new Promise((resolve) => server.close(resolve));
  });

  it('a setup token of the sandbox names the host that the client used', async () => {
    const body = await rawGet(`${sandbox.url}/sandbox/us/create`, { Host: 'money.example:8443' });
    expect(claimUrl(JSON.parse(body).setup_token)).toMatch(
      /^http:\/\/money\.example:8443\/sandbox\/us\/claim\/healthy-/,
    );
    expect(await rawGet(`${sandbox.url}/sandbox/us/create`, { Host: 'a b<c' })).toBe('Bad request\n');
  });

  it('the US sandbox records requests for inspection', () => {
    expect(sandbox.requests).toContainEqual({ method: 'GET', target: '/info' });
  });
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function jsonOf(response: Response): Promise<any> {
  return response.json();
}

/** `fetch` does not let a test set `Host`. */
function rawGet(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      let body = '';
      response.on('data', (piece: Buffer) => (body += piece.toString()));
      response.on('end', () => resolve(body));
    }).on('error', reject);
  });
}
