import { gzipSync } from 'node:zlib';
import { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import { type ScriptedServer, startScriptedServer } from '../../../test/support/scripted-server.js';
import { VERSION } from '../../platform/config/version.js';
import { ProviderError } from '../provider-error.js';
import { ProviderHttp, type ProviderRequest } from './provider-http.js';

const TOO_LARGE = { kind: 'answer_too_large', retryable: false, message: expect.stringContaining('16 MiB') };
const NOW = new Date('2026-03-15T12:00:00Z');

describe('ProviderHttp', () => {
  let server: ScriptedServer;
  let waits: number[];
  let spent: number;
  let warnings: string[];

  beforeAll(async () => {
    server = await startScriptedServer();
  });
  afterAll(() => server.stop());

  beforeEach(() => {
    server.requests.length = 0;
    [waits, spent, warnings] = [[], 0, []];
    const quiet = () => undefined;
    Logger.overrideLogger({ log: quiet, error: quiet, warn: (message: string) => warnings.push(message) });
  });
  afterEach(() => Logger.overrideLogger(['fatal']));

  function send(
    more: Partial<ProviderRequest> = {},
    rules = { allowedHosts: ['*'], allowPrivateNetwork: true },
    options: { deadline?: () => AbortSignal } = {},
  ) {
    const http = new ProviderHttp(new HttpService(), {
      rules,
      now: () => NOW,
      random: () => 0.5,
      ...options,
      wait: (ms, signal) => {
        waits.push(ms);
        signal.throwIfAborted();
        return Promise.resolve();
      },
    });
    return http.send({
      method: 'GET',
      url: `${server.url}/secret-path?code=secret-code`,
      timeoutMs: 60_000,
      what: 'things',
      signal: new AbortController().signal,
      budget: { spend: () => Promise.resolve(void spent++) },
      ...more,
    });
  }

  it('a provider request sends the user agent of Tidemark and returns the response body as text', async () => {
    server.play({ status: 418, body: '{"a":1}' });
    expect(await send()).toEqual({ status: 418, retryAfterSeconds: null, body: '{"a":1}' });
    expect(server.requests[0]?.headers['user-agent']).toBe(`Tidemark/${VERSION} (self-hosted personal finance)`);
  });

  it('a POST without a body is sent with a Content-Length of zero', async () => {
    server.play({ body: 'ok' });
    await send({ method: 'POST' });
    expect(server.requests[0]).toMatchObject({ method: 'POST', body: '', headers: { 'content-length': '0' } });
    expect(server.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
  });

  it.each([301, 302, 303, 307, 308])('a redirect with status %i is not followed', async (status) => {
    server.play({ status, headers: { Location: `${server.url}/elsewhere` } });
    expect(await send()).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  it('a GET is retried after broken connections, and each attempt is counted and logged', async () => {
    server.play('reset', 'reset', { body: 'at last' });
    expect(await send()).toMatchObject({ status: 200, body: 'at last' });
    expect(waits).toEqual([2_250, 4_500]);
    expect(spent).toBe(3);
    expect(warnings).toEqual([
      'Request for things failed (ECONNRESET); retry 1 of 3 in 2.3 s',
      'Request for things failed (ECONNRESET); retry 2 of 3 in 4.5 s',
    ]);
  });

  it('a request fails after three retries, without a secret in the log or the error', async () => {
    server.play('reset');
    const error = await send({ headers: { Authorization: 'Basic hunter2' } }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({
      kind: 'network',
      message: 'The connection to the provider was cut off (ECONNRESET).',
    });
    expect(waits).toEqual([2_250, 4_500, 9_000]);
    expect([server.requests.length, spent, warnings.length]).toEqual([4, 4, 4]);
    expect(JSON.stringify([warnings, error]) + String((error as Error).stack)).not.toMatch(
      /secret|hunter2|127\.0\.0\.1/,
    );
  });

  it('a GET is retried if the response body breaks off', async () => {
    server.play({ body: '{"half":', breaksOff: true }, { body: 'whole' });
    expect((await send()).body).toBe('whole');
  });

  it.each([500, 502, 503, 504])('a GET is retried after %i and finally returns that response', async (status) => {
    server.play({ status, body: '<html>sorry' });
    expect(await send()).toEqual({ status, retryAfterSeconds: null, body: '<html>sorry' });
    expect(server.requests).toHaveLength(4);
    expect(warnings[0]).toMatch(new RegExp(`\\(status ${status}\\)`));
  });

  it.each([400, 401, 402, 403, 404, 429, 501])('a GET is not retried after status %i', async (status) => {
    server.play({ status });
    await send();
    expect([server.requests.length, spent, waits]).toEqual([1, 1, []]);
  });

  it.each(['reset', { status: 503 }] as const)('a POST is never retried after %j', async (answer) => {
    server.play(answer);
    await send({ method: 'POST' }).catch(() => undefined);
    expect(server.requests).toHaveLength(1);
  });

  it('a GET is not retried if retries are switched off', async () => {
    server.play({ status: 503 });
    await send({ retries: false });
    expect(server.requests).toHaveLength(1);
  });

  it('a retry waits for the time in Retry-After, and is not made if that is too long', async () => {
    server.play({ status: 503, headers: { 'Retry-After': '7' } }, { body: 'ok' });
    expect((await send()).status).toBe(200);
    expect(waits).toEqual([7_000]);
    server.play({ status: 503, headers: { 'Retry-After': 'Sun, 15 Mar 2026 13:00:00 GMT' } });
    expect(await send()).toMatchObject({ status: 503, retryAfterSeconds: 3_600 });
    expect(waits).toHaveLength(1);
  });

  it('an error of the budget itself is passed on, and nothing is sent', async () => {
    const removed = new Error('the connection was removed');
    await expect(send({ budget: { spend: () => Promise.reject(removed) } })).rejects.toBe(removed);
    expect([server.requests, waits, warnings]).toEqual([[], [], []]);
  });

  it('nothing is sent once the budget is used up, not even a retry', async () => {
    const usedUp = new ProviderError('rate_limited', 'used up');
    server.play('reset');
    const budget = { spend: () => (spent++ < 2 ? Promise.resolve() : Promise.reject(usedUp)) };
    await expect(send({ budget })).rejects.toBe(usedUp);
    expect(server.requests).toHaveLength(2);
  });

  it('the timeout limits the whole response, not only its first byte', async () => {
    server.play({ body: 'a beginning', hangs: true });
    await expect(send({ timeoutMs: 60, retries: false })).rejects.toThrow('did not answer within 0.06 s');
  });

  it('a GET is retried after a timeout', async () => {
    server.play('silence', { body: 'awake' });
    const { deadline } = server;
    expect((await send({}, undefined, { deadline })).body).toBe('awake');
    expect(warnings[0]).toMatch(/\(timeout\)/);
  });

  it('a response of over 16 MiB, compressed or not, is rejected and not requested again', async () => {
    const bomb = gzipSync(Buffer.alloc(17 * 2 ** 20, ' '));
    server.play({ body: bomb, headers: { 'Content-Encoding': 'gzip' } });
    await expect(send()).rejects.toMatchObject(TOO_LARGE);
    expect(server.requests).toHaveLength(1);
  });

  it('a response whose Content-Length is over 16 MiB is rejected unread and not requested again', async () => {
    server.play({ body: '{', headers: { 'Content-Length': String(2 ** 30) }, breaksOff: true });
    await expect(send()).rejects.toMatchObject(TOO_LARGE);
    expect([server.requests.length, spent]).toEqual([1, 1]);
  });

  it('a gzip response is decompressed', async () => {
    server.play({ body: gzipSync('{"a":"ü"}'), headers: { 'Content-Encoding': 'gzip' } });
    expect((await send()).body).toBe('{"a":"ü"}');
  });

  it('an aborted request stops at once and fails with the abort reason', async () => {
    const controller = new AbortController();
    const reason = new Error('shutting down');
    server.play((_, index) => {
      if (index === 1) controller.abort(reason);
      return index === 0 ? 'reset' : 'silence';
    });
    await expect(send({ signal: controller.signal })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(2);
  });

  it('a URL that the rules forbid is refused before anything is sent', async () => {
    const strict = { allowedHosts: ['*'], allowPrivateNetwork: false };
    await expect(send({}, strict)).rejects.toThrow(/must use https and was not contacted/);
    const url = server.url.replace('http:', 'https:');
    await expect(send({ url }, strict)).rejects.toThrow(/not on the public internet/);
    expect([server.requests.length, spent]).toEqual([0, 0]);
  });

  it('a public name that resolves to a private address is refused when connecting', async () => {
    const url = server.url.replace('http://127.0.0.1', 'https://localhost');
    const rules = { allowedHosts: ['localhost'], allowPrivateNetwork: false };
    await expect(send({ url }, rules)).rejects.toThrow(/resolves to this machine or a private network/);
    expect([server.requests.length, waits]).toEqual([0, []]);
  });
});
