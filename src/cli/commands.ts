import { RequestContext } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeys } from '../auth/api-keys.service.js';
import { isScope, type Scope, SCOPES } from '../auth/scopes.js';
import { Users } from '../auth/users.service.js';
import { isUuid } from '../api/validators.js';
import { HistoryRebuild } from '../balances/history-rebuild.js';
import { type SyncResponse, toSyncResponse } from '../sync/sync.response.js';
import { SyncRuns } from '../sync/sync-runs.repository.js';
import { isTimeZone } from '../time/calendar-date.js';
import { followSync } from './follow-sync.js';

type Values = Record<string, string | undefined>;

export interface Command {
  summary: string;
  options: Record<string, { value: string; required: boolean }>;
  /** Whether this process does the jobs it enqueues. */
  needsWorker?: boolean;
  /** @throws UsageError before anything is started */
  check?: (values: Values) => void;
  /** @throws Refusal when it cannot be done; the answer otherwise */
  run: (app: INestApplicationContext, values: Values) => Promise<object>;
}

/** The command line makes no sense: usage on stderr, exit 2. */
export class UsageError extends Error {}

/** Understood, but refused: one sentence on stderr, exit 1. */
export class Refusal extends Error {}

const required = (value: string) => ({ value, required: true });
const optional = (value: string) => ({ value, required: false });

export const COMMANDS: Record<string, Command> = {
  'user:create': {
    summary: 'Creates a person.',
    options: { email: required('E'), password: required('P'), 'time-zone': optional('Z') },
    check: ({ email, password, 'time-zone': timeZone }) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(email ?? '')) throw new UsageError('--email must be an e-mail address.');
      if ((password ?? '').length < 8) throw new UsageError('--password must have at least 8 characters.');
      if (timeZone && !isTimeZone(timeZone)) throw new UsageError('--time-zone must be a name like Europe/Prague.');
    },
    run: createUser,
  },
  'key:create': {
    summary: 'Creates an API key; the only time the key is shown.',
    options: {
      email: required('E'),
      name: required('N'),
      scopes: required('a,b'),
      'expires-at': optional('ISO'),
    },
    check: ({ scopes, 'expires-at': expiresAt }) => {
      const unknown = listOf(scopes).filter((scope) => !isScope(scope));
      if (unknown.length > 0 || listOf(scopes).length === 0) {
        throw new UsageError(`--scopes must be a list of: ${SCOPES.join(' ')}.`);
      }
      if (expiresAt && Number.isNaN(Date.parse(expiresAt)))
        throw new UsageError('--expires-at must be an ISO 8601 time.');
    },
    run: createKey,
  },
  'key:revoke': {
    summary: 'Revokes an API key at once.',
    options: { id: required('ID') },
    run: revokeKey,
  },
  'sync:run': {
    summary: 'Syncs now, waits, prints the finished syncs.',
    options: { connection: optional('ID') },
    needsWorker: true,
    run: runSyncs,
  },
  'balances:rebuild': {
    summary: 'Derives balance history again from what is stored.',
    options: { account: optional('ID') },
    run: rebuildBalances,
  },
};

export function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary, options }]) => {
    const words = Object.entries(options).map(([option, { value, required }]) =>
      required ? `--${option} ${value}` : `[--${option} ${value}]`,
    );
    return `  ${[name, ...words].join(' ')}\n      ${summary}`;
  });
  return `Usage: npm run --silent cli -- COMMAND\n\n${lines.join('\n')}`;
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

async function createUser(app: INestApplicationContext, values: Values): Promise<object> {
  const { email = '', password = '', 'time-zone': timeZone = 'UTC' } = values;
  const user = await inContext(app, () => app.get(Users).create({ email, password, timeZone }));
  if (!user) throw new Refusal(`There is a user with the e-mail address ${email} already.`);
  return { id: user.id, email: user.email, time_zone: user.timeZone };
}

async function createKey(app: INestApplicationContext, values: Values): Promise<object> {
  const { email = '', name = '', scopes, 'expires-at': expiresAt } = values;
  return inContext(app, async () => {
    const user = await app.get(Users).findByEmail(email);
    if (!user) throw new Refusal(`There is no user with the e-mail address ${email}.`);
    const { apiKey, key } = await app.get(ApiKeys).create(user.id, {
      name,
      scopes: listOf(scopes) as Scope[],
      expiresAt: expiresAt ? new Date(expiresAt) : null,
    });
    const expires = apiKey.expiresAt?.toISOString() ?? null;
    return { id: apiKey.id, name, scopes: apiKey.scopes, expires_at: expires, key };
  });
}

async function revokeKey(app: INestApplicationContext, { id = '' }: Values): Promise<object> {
  const apiKey = isUuid(id) ? await inContext(app, () => app.get(ApiKeys).revoke(id)) : null;
  if (!apiKey) throw new Refusal(`There is no API key with the id ${id}.`);
  return { id: apiKey.id, revoked_at: apiKey.revokedAt?.toISOString() };
}

async function runSyncs(app: INestApplicationContext, { connection }: Values): Promise<object> {
  if (connection && !isUuid(connection)) throw new Refusal(`There is no connection with the id ${connection}.`);
  const runs = await app.get(SyncRuns).requestMany(connection ?? null);
  if (connection && runs.length === 0) throw new Refusal(`There is no connection with the id ${connection}.`);
  const syncs: SyncResponse[] = [];
  for (const { userId, id } of runs) {
    const finished = await followSync(async () => toSyncResponse((await app.get(SyncRuns).find(userId, id))!));
    syncs.push(finished);
  }
  return { syncs };
}

async function rebuildBalances(app: INestApplicationContext, { account }: Values): Promise<object> {
  if (account && !isUuid(account)) throw new Refusal(`There is no account with the id ${account}.`);
  const { accounts, balancesWritten } = await app.get(HistoryRebuild).run(account ?? null);
  if (account && accounts === 0) throw new Refusal(`There is no account with the id ${account}.`);
  return { accounts, balances_written: balancesWritten };
}

/** Outside a request there is no entity manager of its own: this makes one for the length of `work`. */
function inContext<T>(app: INestApplicationContext, work: () => Promise<T>): Promise<T> {
  return RequestContext.create(app.get(EntityManager), work);
}
