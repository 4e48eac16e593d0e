import { setTimeout as wait } from 'node:timers/promises';
import { dateOfUnixSeconds } from '../src/platform/time/calendar-date.js';
import { createAccountHolder, fillHistory } from './list/fill-history.js';
import { requestsPerSecond } from './load.js';
import { createPerson } from './person.js';
import { firstRows, newRows, type Shape, SHAPES } from './provider-sync/rows.js';
import { Syncs } from './provider-sync/syncs.js';
import { startUsBank } from './provider-sync/us-bank.js';
import { type Server, startTidemark } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How much memory does the service take: idle, under load, and while it syncs 100,000 transactions?
// npm run bench:memory

const SETTLING_MS = 5_000;
const LOAD_SECONDS = 10;

const database = await startThrowawayDatabase();
const bank = await startUsBank();

async function measure(name: string, goalMib: number, work: (server: Server) => Promise<number>): Promise<void> {
  const settings = { ROLE: 'all', PROVIDER_ALLOW_PRIVATE_NETWORK: '1', ...bank.environment() };
  const server = await startTidemark(database.url, settings);
  try {
    const mib = await work(server);
    console.log(`${name.padEnd(58)} ${mib.toFixed(0).padStart(4)} MiB   goal ${goalMib}`);
  } finally {
    await server.stop();
  }
}

async function underLoad(server: Server): Promise<number> {
  const person = await createAccountHolder(database.client);
  await fillHistory(database.client, person);
  const headers = { 'X-Api-Key': person.key };
  await requestsPerSecond({ url: `${server.url}/api/v1/balances?per_page=100`, headers }, LOAD_SECONDS);
  return server.peakMib();
}

/** A first sync and one with 1 % new. */
async function syncing(server: Server, shape: Shape): Promise<number> {
  const today = dateOfUnixSeconds(Math.floor(Date.now() / 1000));
  const syncs = new Syncs(server, await createPerson(database.client));
  const first = firstRows(shape, today);
  bank.serve(first);
  const { connectionId } = await syncs.connect(bank.connectBody());
  bank.serve([...first, ...newRows(shape, today)]);
  await syncs.again(connectionId);
  return server.peakMib();
}

try {
  await measure('idle', 220, async (server) => {
    await wait(SETTLING_MS);
    return server.memoryMib();
  });
  await measure('peak under load: 16 connections, 100 records a page', 350, underLoad);
  for (const shape of SHAPES)
    await measure(`peak while syncing 100,000: ${shape.name}`, 350, (server) => syncing(server, shape));
} finally {
  bank.stop();
  await database.drop();
}
