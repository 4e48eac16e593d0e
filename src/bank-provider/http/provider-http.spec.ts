import { gzipSync } from 'node:zlib';
import { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import { type ScriptedServer, startScriptedServer } from '../../../test/support/scripted-server.js';
import { VERSION } from '../../config/version.js';
import { ProviderError } from '../provider-error.js';
import { ProviderHttp, type ProviderRequest } from './provider-http.js';

const TOO_LARGE = { kind: 'answer_too_large', retryable: false, message: expect.stringContaining('64 MiB') };
const NOW = new Date('2026-03-15T12:00:00Z');

describe('HTTP to a provider', () => {
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

  it('sends a real user agent and returns any reply as text', async () => {
    server.play({ status: 418, body: '{"a":1}' });
    expect(await send()).toEqual({ status: 418, retryAfterSeconds: null, body: '{"a":1}' });
    expect(server.requests[0]?.headers['user-agent']).toBe(`Tidemark/${VERSION} (self-hosted personal finance)`);
  });

  it('sends an empty POST with its length', async () => {
    server.play({ body: 'ok' });
    await send({ method: 'POST' });
    expect(server.requests[0]).toMatchObject({ method: 'POST', body: '', headers: { 'content-length': '0' } });
    expect(server.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
    server.play({ status, headers: { Location: `${server.url}/elsewhere` } });
    expect(await send()).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  it('tries a GET again after broken connections, counting and logging each attempt', async () => {
    server.play('reset', 'reset', { body: 'at last' });
    expect(await send()).toMatchObject({ status: 200, body: 'at last' });
    expect(waits).toEqual([2_250, 4_500]);
    expect(spent).toBe(3);
    expect(warnings).toEqual([
      'Request for things failed (ECONNRESET); retry 1 of 3 in 2.3 s',
      'Request for things failed (ECONNRESET); retry 2 of 3 in 4.5 s',
    ]);
  });

  it('gives up after three retries, without a secret in the log or the error', async () => {
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

  it('tries again after a body that breaks off', async () => {
    server.play({ body: '{"half":', breaksOff: true }, { body: 'whole' });
    expect((await send()).body).toBe('whole');
  });

  it.each([500, 502, 503, 504])('tries again after %i and in the end returns the reply itself', async (status) => {
    server.play({ status, body: '<html>sorry' });
    expect(await send()).toEqual({ status, retryAfterSeconds: null, body: '<html>sorry' });
    expect(server.requests).toHaveLength(4);
    expect(warnings[0]).toMatch(new RegExp(`\\(status ${status}\\)`));
  });

  it.each([400, 401, 402, 403, 404, 429, 501])('does not try again after %i', async (status) => {
    server.play({ status });
    await send();
    expect([server.requests.length, spent, waits]).toEqual([1, 1, []]);
  });

  it.each(['reset', { status: 503 }] as const)('never tries a POST again after %j', async (answer) => {
    server.play(answer);
    await send({ method: 'POST' }).catch(() => undefined);
    expect(server.requests).toHaveLength(1);
  });

  it('does not try again where that is not wanted', async () => {
    server.play({ status: 503 });
    await send({ retries: false });
    expect(server.requests).toHaveLength(1);
  });

  it('waits as long as the server asks for, and does not try again when that is too long', async () => {
    server.play({ status: 503, headers: { 'Retry-After': '7' } }, { body: 'ok' });
    expect((await send()).status).toBe(200);
    expect(waits).toEqual([7_000]);
    server.play({ status: 503, headers: { 'Retry-After': 'Sun, 15 Mar 2026 13:00:00 GMT' } });
    expect(await send()).toMatchObject({ status: 503, retryAfterSeconds: 3_600 });
    expect(waits).toHaveLength(1);
  });

  it('passes on as it is what goes wrong with the budget itself, and sends nothing', async () => {
    const removed = new Error('the connection was removed');
    await expect(send({ budget: { spend: () => Promise.reject(removed) } })).rejects.toBe(removed);
    expect([server.requests, waits, warnings]).toEqual([[], [], []]);
  });

  it('sends nothing when the budget is used up, not even a retry', async () => {
    const usedUp = new ProviderError('rate_limited', 'used up');
    server.play('reset');
    const budget = { spend: () => (spent++ < 2 ? Promise.resolve() : Promise.reject(usedUp)) };
    await expect(send({ budget })).rejects.toBe(usedUp);
    expect(server.requests).toHaveLength(2);
  });

  it('limits the time of the whole answer, not of its first byte', async () => {
    server.play({ body: 'a beginning', hangs: true });
    await expect(send({ timeoutMs: 60, retries: false })).rejects.toThrow('did not answer within 0.06 s');
  });

  it('tries again after a timeout', async () => {
    server.play('silence', { body: 'awake' });
    const { deadline } = server;
    expect((await send({}, undefined, { deadline })).body).toBe('awake');
    expect(warnings[0]).toMatch(/\(timeout\)/);
  });

  it('reads no more than 64 MiB, compressed or not, and does not ask for it again', async () => {
    const kib = `1${' '.repeat(1022)},`;
    const bomb = gzipSync(`{"rows":[${kib.repeat(65 * 1024)}1]}`);
    server.play({ body: bomb, headers: { 'Content-Encoding': 'gzip' } });
    await expect(send({ timeoutMs: 60_000, parsedList: 'rows' })).rejects.toMatchObject(TOO_LARGE);
    expect(server.requests).toHaveLength(1);
  });

  it('reads nothing of an answer that announces more, and does not ask for it again', async () => {
    server.play({ body: '{', headers: { 'Content-Length': String(2 ** 30) }, breaksOff: true });
    await expect(send()).rejects.toMatchObject(TOO_LARGE);
    expect([server.requests.length, spent]).toEqual([1, 1]);
  });

  it('reads compressed answers', async () => {
    server.play({ body: gzipSync('{"a":"ü"}'), headers: { 'Content-Encoding': 'gzip' } });
    expect((await send()).body).toBe('{"a":"ü"}');
  });

  it('stops at once when it is aborted, with the reason of the abort', async () => {
    const controller = new AbortController();
    const reason = new Error('shutting down');
    server.play((_, index) => {
      if (index === 1) controller.abort(reason);
      return index === 0 ? 'reset' : 'silence';
    });
    await expect(send({ signal: controller.signal })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(2);
  });

  it('refuses an address that the rules forbid before anything is sent', async () => {
    const strict = { allowedHosts: ['*'], allowPrivateNetwork: false };
    await expect(send({}, strict)).rejects.toThrow(/must use https and was not contacted/);
    const url = server.url.replace('http:', 'https:');
    await expect(send({ url }, strict)).rejects.toThrow(/not on the public internet/);
    expect([server.requests.length, spent]).toEqual([0, 0]);
  });

  it('refuses a public name that leads to a private address while it connects', async () => {
    const url = server.url.replace('http://127.0.0.1', 'https://localhost');
    const rules = { allowedHosts: ['localhost'], allowPrivateNetwork: false };
    await expect(send({ url }, rules)).rejects.toThrow(/resolves to this machine or a private network/);
    expect([server.requests.length, waits]).toEqual([0, []]);
  });
});
