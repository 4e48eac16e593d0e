import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '../../http/input/validators.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { ApiKeysService, MAX_KEY_ACCOUNTS } from '../../auth/api-keys.service.js';
import type { Scope } from '../../auth/scopes.js';
import { SecondFactorService } from '../../auth/second-factor/second-factor.service.js';
import { Clock } from '../../platform/time/clock.js';
import { timeZoneNamed } from '../../platform/time/time-zones.js';
import type { User } from '../../auth/user.entity.js';
import { UsersRepository } from '../../auth/users.repository.js';
import { UsersService } from '../../auth/users.service.js';
import { HistoryRebuildService } from '../../balances/history/history-rebuild.service.js';
import { ChangeStream, type StreamedChanges } from '../../sync/events/change-stream.js';
import { SyncRunsService } from '../../sync/runs/sync-runs.service.js';
import { type SyncResponse, toSyncResponse } from '../../sync/runs/sync.response.js';
import { listOf, RefusedError, type Values } from '../../platform/command.js';
import { followSync } from './follow-sync.js';

// The commands. They are loaded only for a valid command line, which keeps errors fast.

export async function createUser(app: INestApplicationContext, values: Values): Promise<object> {
  const { email = '', password = '', 'time-zone': zone = 'UTC' } = values;
  const user = await app.get(UsersService).create({ email, password, timeZone: timeZoneNamed(zone)! });
  if (!user) throw new RefusedError(`A user with the e-mail address ${email} already exists.`);
  return { id: user.id, email: user.email, time_zone: user.timeZone };
}

export async function resetPassword(app: INestApplicationContext, values: Values): Promise<object> {
  const { email = '', password = '' } = values;
  const user = await findUser(app, email);
  await app.get(UsersService).resetPassword(user.id, password);
  return { id: user.id, email: user.email };
}

export async function resetSecondFactor(app: INestApplicationContext, { email = '' }: Values): Promise<object> {
  const user = await findUser(app, email);
  const wasOn = await app.get(SecondFactorService).remove(user.id, 'second_factor_reset');
  return { id: user.id, email: user.email, was_on: wasOn };
}

export async function createKey(app: INestApplicationContext, values: Values): Promise<object> {
  const { email = '', name = '', scopes, accounts, 'expires-at': expiresAt } = values;
  const user = await findUser(app, email);
  if (expiresAt && new Date(expiresAt) <= app.get(Clock).now()) throw new RefusedError('--expires-at has passed.');
  const accountIds = accounts === undefined ? undefined : await knownAccounts(app, user.id, listOf(accounts));
  const { apiKey, key } = await app.get(ApiKeysService).create(user.id, {
    name,
    scopes: listOf(scopes) as Scope[],
    accountIds,
    expiresAt: expiresAt ? new Date(expiresAt) : null,
  });
  const expires = apiKey.expiresAt?.toISOString() ?? null;
  return { id: apiKey.id, name, scopes: apiKey.scopes, account_ids: apiKey.accountIds, expires_at: expires, key };
}

async function findUser(app: INestApplicationContext, email: string): Promise<User> {
  const user = await app.get(UsersRepository, { strict: false }).findByEmail(email);
  if (!user) throw new RefusedError(`There is no user with the e-mail address ${email}.`);
  return user;
}

async function knownAccounts(app: INestApplicationContext, userId: string, ids: string[]): Promise<string[]> {
  const known = await app.get(AccountsRepository).findByIds(userId, ids.filter(isUuid));
  const unknown = ids.find((id) => !known.some((account) => account.id === id.toLowerCase()));
  if (unknown !== undefined) throw new RefusedError(`This person has no account with the id ${unknown}.`);
  if (known.length === 0 || known.length > MAX_KEY_ACCOUNTS) {
    throw new RefusedError(`A key is for all accounts, or for 1 to ${MAX_KEY_ACCOUNTS} of them.`);
  }
  return known.map(({ id }) => id);
}

export async function rotateKey(app: INestApplicationContext, values: Values): Promise<object> {
  const { id = '', 'overlap-hours': hours = '24' } = values;
  const rotated = isUuid(id) ? await app.get(ApiKeysService).rotate({ id, overlapHours: Number(hours) }) : null;
  if (!rotated) throw new RefusedError(`There is no active API key with the id ${id}.`);
  const { previousValidUntil } = rotated.apiKey;
  return { id, previous_valid_until: previousValidUntil?.toISOString(), key: rotated.key };
}

export async function revokeKey(app: INestApplicationContext, { id = '' }: Values): Promise<object> {
  const apiKey = isUuid(id) ? await app.get(ApiKeysService).revoke(id) : null;
  if (!apiKey) throw new RefusedError(`There is no API key with the id ${id}.`);
  return { id: apiKey.id, revoked_at: apiKey.revokedAt?.toISOString() };
}

export interface SyncsAnswer {
  syncs: SyncResponse[];
  /** Connections without a finished sync, and why. */
  left_out: { connection_id: string; message: string }[];
}

export async function runSyncs(app: INestApplicationContext, { connection }: Values): Promise<SyncsAnswer> {
  if (connection && !isUuid(connection)) throw new RefusedError(`There is no connection with the id ${connection}.`);
  const { runs, leftOut } = await app.get(SyncRunsService).requestMany(connection ?? null);
  if (connection && runs.length === 0)
    throw new RefusedError(leftOut[0]?.message ?? `There is no connection with the id ${connection}.`);
  for (const { message } of leftOut) process.stderr.write(`${message}\n`);
  const syncs: SyncResponse[] = [];
  for (const { userId, id, connectionId } of runs) {
    let sync: SyncResponse | null;
    // A stream ends with a failover, too.
    do sync = await followSync(responses(app.get(ChangeStream).follow(userId, { ...ONE_RUN, runId: id })));
    while (!sync && (await app.get(SyncRunsService).find(userId, id)));
    if (sync) syncs.push(sync);
    else leftOut.push({ connectionId: connectionId!, message: 'The sync was deleted before it ended.' });
  }
  return { syncs, left_out: leftOut.map(({ connectionId, message }) => ({ connection_id: connectionId, message })) };
}

const ONE_RUN = { after: null, signal: new AbortController().signal };

async function* responses(changes: AsyncIterable<StreamedChanges>): AsyncGenerator<SyncResponse> {
  for await (const { runs } of changes) yield* runs.map(toSyncResponse);
}

export interface RebuildAnswer {
  accounts: number;
  failed: number;
  balances_written: number;
}

export async function rebuildBalances(app: INestApplicationContext, { account }: Values): Promise<RebuildAnswer> {
  if (account && !isUuid(account)) throw new RefusedError(`There is no account with the id ${account}.`);
  const { accounts, failed, balancesWritten } = await app.get(HistoryRebuildService).run(account ?? null);
  if (account && accounts === 0) throw new RefusedError(`There is no account with the id ${account}.`);
  return { accounts, failed, balances_written: balancesWritten };
}
