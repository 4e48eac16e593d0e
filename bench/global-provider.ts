import { parseArgs } from 'node:util';
import { startGlobalBank } from './provider-sync/global-bank.js';
import { benchProviderSync } from './provider-sync/run.js';

// The same question as bench/us-provider.ts, of its twin.
// npm run bench:global-provider [-- --rounds 2]

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' } } });
await benchProviderSync(startGlobalBank, Number(values.rounds));
