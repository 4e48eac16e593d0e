import { randomUUID } from 'node:crypto';
import { Account } from '../../src/balances/accounts/account.entity.js';
import type { SnapshotAccount, SnapshotTransaction } from '../../src/providers/bank-provider.js';
import { noteChanges } from '../../src/database/change-log/note-changes.js';
import { Connection } from '../../src/sync/connections/connection.entity.js';
import { type AccountWrite, IngestAccountService } from '../../src/sync/ingest/ingest-account.service.js';
import { addDays, type CalendarDate, dateInTimeZone } from '../../src/platform/time/calendar-date.js';
import type { CoveredDays } from '../../src/platform/time/covered-days.js';
import type { TestApp } from './app.js';

let serial = 0;

/** A connection as the service would have stored it; its credential opens nothing. */
export async function createConnection(
  { em, clock }: Pick<TestApp, 'em' | 'clock'>,
  userId: string,
  more: Partial<Pick<Connection, 'provider'>> = {},
): Promise<Connection> {
  return em().transactional((em) => {
    noteChanges(userId, { kind: 'connections' });
    const connection = em.create(Connection, {
      ...{ userId, id: randomUUID(), provider: 'us_provider', name: 'Test bank', status: 'active', statusReason: null },
      ...{ credential: 'none', credentialFingerprint: String(++serial), credentialSince: clock.now() },
      ...{ serverVersions: null, includePending: true, historyDays: 730 },
      ...{ lastSyncedAt: null, nextSyncAt: null, createdAt: clock.now(), updatedAt: clock.now() },
      ...more,
    });
    em.persist(connection);
    return Promise.resolve(connection);
  });
}

export function transaction(
  date: string,
  amountMinor: number,
  more: Partial<SnapshotTransaction> = {},
): SnapshotTransaction {
  const externalId = `T${++serial}`;
  return {
    externalId,
    date,
    amountMinor,
    currency: 'USD',
    description: 'Shop',
    merchant: null,
    pending: false,
    ...more,
  };
}

export function snapshotAccount(more: Partial<SnapshotAccount> = {}): SnapshotAccount {
  return {
    externalId: `A${++serial}`,
    name: 'Checking',
    institution: 'Test bank',
    currency: 'USD',
    balance: null,
    suggestedType: 'depository',
    transactions: [],
    covered: coveredSince('2024-01-01'),
    unreadableRows: 0,
    holdings: { status: 'unavailable' },
    ...more,
  };
}

/** What a list covers that is whole from a day on. */
export function coveredSince(from: CalendarDate): CoveredDays {
  return [{ from, until: '9999-12-31' }];
}

export function balance(amountMinor: number): SnapshotAccount['balance'] {
  return { amountMinor, availableMinor: null, date: null };
}

/** Stores what a sync would have brought at the clock's time, and derives the history. */
export async function writeSnapshot(
  { app, em, clock }: Pick<TestApp, 'app' | 'em' | 'clock'>,
  connection: Connection,
  snapshot: SnapshotAccount,
  timeZone = 'UTC',
): Promise<AccountWrite> {
  const at = clock.now();
  const { userId, id: connectionId } = connection;
  const isWholeHistory = (await em().count(Account, { userId, connectionId, externalId: snapshot.externalId })) === 0;
  const days = { day: dateInTimeZone(at, timeZone), utcDay: dateInTimeZone(at, 'UTC'), timeZone, datesAs: null };
  const historyFrom = addDays(days.utcDay, -connection.historyDays);
  const moment = { at, ...days, historyFrom, isWholeHistory };
  return app.get(IngestAccountService).ingest(em(), connection, snapshot, moment);
}
