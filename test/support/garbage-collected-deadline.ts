import { HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import { ProviderHttp } from '../../src/providers/http/provider-http.js';
import { UNLIMITED } from '../../src/providers/bank-provider.js';
import { startScriptedServer } from './scripted-server.js';

// Asks a silent provider while the garbage is collected again and again, and prints how that ended. A process of its own,
// since only --expose-gc can collect at will.

const TIMEOUT_MS = 1_000;
const COLLECT_EVERY_MS = 100;
/** Collections after which the deadline has certainly passed, however slow the machine is. */
const MOST_COLLECTIONS = 200;

Logger.overrideLogger(false);
const server = await startScriptedServer();
server.play('silence');
const http = new ProviderHttp(new HttpService(), {
  rules: { allowedHosts: ['127.0.0.1'], allowPrivateNetwork: true },
  now: () => new Date(),
});
let collections = 0;
const collecting = setInterval(() => {
  globalThis.gc!();
  if (++collections < MOST_COLLECTIONS) return;
  console.log('the deadline never fired');
  process.exit();
}, COLLECT_EVERY_MS);
const asking = http.send({
  method: 'GET',
  url: `${server.url}/`,
  timeoutMs: TIMEOUT_MS,
  what: 'things',
  retries: false,
  signal: new AbortController().signal,
  budget: UNLIMITED,
});
console.log(
  await asking.then(
    () => 'answered',
    (error: Error) => error.message,
  ),
);
clearInterval(collecting);
await server.stop();
