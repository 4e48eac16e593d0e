import { parseArgs } from 'node:util';
import { benchProviderSync } from './provider-sync/run.js';
import { startUsBank } from './provider-sync/us-bank.js';

// What does a sync of 100,000 transactions cost, from the first request to the last balance record?
// npm run bench:us-provider [-- --rounds 2]

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' } } });
await benchProviderSync(startUsBank, Number(values.rounds));
