import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { networkError } from '../../../src/providers/http/network-failure.js';
import { parsePayload } from '../../../src/providers/parse-payload.js';
import { ProviderError } from '../../../src/providers/provider-error.js';
import { Connection } from '../../../src/sync/connections/connection.entity.js';
import { RunOutcomeService } from '../../../src/sync/runs/run-outcome.service.js';
import { SyncRun } from '../../../src/sync/sync-run.entity.js';
import { accessRefusal } from '../../../src/providers/us-provider/client.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from '../../support/factories.js';
import type { Scenes, Site } from './scenes.js';
import { signUp } from './site.js';
import { at, behind } from './steps.js';

const EMAIL = 'failing@example.com';

const refused = (status: number, body = '<html></html>') => accessRefusal({ status, body, retryAfterSeconds: null });

/** Every way in which a provider can fail. */
const FAILURES: Record<string, () => ProviderError> = {
  'Never answers': () => networkError('timeout', 30_000),
  'Has no address': () => networkError('ENOTFOUND', 30_000),
  'Refuses connections': () => networkError('ECONNREFUSED', 30_000),
  'Cuts connections off': () => networkError('ECONNRESET', 30_000),
  'Has an old certificate': () => networkError('CERT_HAS_EXPIRED', 30_000),
  'Answers without end': () =>
    new ProviderError('answer_too_large', 'The provider’s answer is larger than the limit of 64 MiB.'),
  'Answers with a web page': () => parsePayload(z.never(), { body: '<html></html>' }, 'The provider’s answer'),
  'Answers something else': () => parsePayload(z.never(), { body: '{}' }, 'The provider’s answer'),
  'Wants to be paid': () => refused(402, '{"errors":["Renew your subscription."]}'),
  'Has revoked the access': () => refused(403, '{"errors":["Forbidden"],"accounts":[]}'),
  'Is crowded': () => refused(403),
  'Limits requests': () => refused(429),
  'Is under maintenance': () => refused(503),
};

/** Signs somebody up whose connections failed at their first sync, each in its own way. */
export async function meetFailing(site: Site, page: Page): Promise<void> {
  await signUp(page, site.url, EMAIL);
  const [user]: { id: string }[] = await site.em().execute('select id from users where email = ?', [EMAIL]);
  for (const [name, fail] of Object.entries(FAILURES)) {
    const connection = await createConnection(site, user!.id);
    await site.em().nativeUpdate(Connection, { id: connection.id }, { name });
    await endSync(site, connection, errorOf(fail));
  }
}

/** A sync of the connection ends as it does where the provider fails so. */
async function endSync({ app, em, clock }: Site, { userId, id: connectionId }: Connection, error: unknown) {
  const id = randomUUID();
  await em().execute(
    `insert into sync_runs (user_id, id, connection_id, trigger, status, step, attempt, queued_at, started_at)
     values (?, ?, ?, 'first', 'running', 'starting', 1, ?, ?)`,
    [userId, id, connectionId, clock.now(), clock.now()],
  );
  await em().transactional(async (em) => {
    const run = await em.findOneOrFail(SyncRun, { userId, id });
    const outcomes = app.get(RunOutcomeService);
    const used = await em.findOneOrFail(Connection, { userId, id: connectionId });
    Object.assign(run, await outcomes.write(em, run, used, outcomes.failed(error)));
  });
}

function errorOf(fail: () => unknown): unknown {
  try {
    return fail();
  } catch (error) {
    return error;
  }
}

/** All of them have brought accounts before. */
async function haveAccounts(site: Site): Promise<void> {
  const connections = await site.em().find(Connection, { name: { $in: Object.keys(FAILURES) } });
  for (const connection of connections) {
    const externalId = `account at ${connection.id}`;
    const account = snapshotAccount({ externalId, name: `Account at ${connection.name}`, balance: balance(12_345) });
    await writeSnapshot(site, connection, account);
  }
}

export const SCENES_OF_FAILING: Scenes = {
  'overview-first-syncs-failed': at('/'),
  'connections-failed': at('/connections'),
  'connection-syncs-failing': behind('/connections', /Last sync/),
  'overview-failing': async (page, site) => {
    await haveAccounts(site);
    await at('/')(page, site);
  },
};
