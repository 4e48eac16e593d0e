import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Account } from '../balances/accounts/account.entity.js';
import { User } from '../auth/user.entity.js';
import type { KnownAccount, SnapshotRequest } from '../providers/bank-provider.js';
import { type InstalledProvider, ProviderRegistry } from '../providers/provider-registry.js';
import { noteChanges } from '../database/change-log/note-changes.js';
import type { Secret } from '../platform/config/secret.js';
import { Connection } from './connections/connection.entity.js';
import { sealCredential } from './connections/credentials/seal-credential.js';
import { RequestBudgetService } from './connections/request-budget.service.js';
import { reader } from '../database/reader.js';
import { DeletedAccount } from './ingest/delete-account/deleted-account.entity.js';
import { historyCoverage } from './ingest/queries/history-coverage.queries.js';
import { addDays, type CalendarDate, dateInTimeZone } from '../platform/time/calendar-date.js';
import type { CoveredDays } from '../platform/time/covered-days.js';
import { Clock } from '../platform/time/clock.js';
import { credentialOwner, CredentialVault } from '../platform/vault/credential-vault.js';
import type { RunAttempt } from './runs/run-attempt.js';

/** A run with what is stored when it begins. */
export interface PreparedSync {
  attempt: RunAttempt;
  connection: Connection;
  installed: InstalledProvider;
  /** The person's, an IANA name. */
  timeZone: string;
  accounts: readonly Account[];
  /** By external id: these, and those that a person deleted. */
  knownAccounts: ReadonlyMap<string, KnownAccount>;
  /** By external id: the days whose transactions need not be fetched. */
  covered: ReadonlyMap<string, CoveredDays>;
}

/** What is known of a deleted account beside its name. */
const NOTHING_KNOWN = {
  nameChosen: false,
  institution: null,
  currency: null,
  accountType: null,
  holdingsSupported: null,
};

type Request = Omit<SnapshotRequest, 'onProgress' | 'onAccount' | 'signal'>;

/** Loads what a sync needs before the provider is asked, and makes the request. */
@Injectable()
export class PrepareSyncService {
  constructor(
    private readonly em: EntityManager,
    private readonly providers: ProviderRegistry,
    private readonly vault: CredentialVault,
    private readonly budgets: RequestBudgetService,
    private readonly clock: Clock,
  ) {}

  /** @returns `null` when the connection was deleted meanwhile */
  async prepare(attempt: RunAttempt): Promise<PreparedSync | null> {
    const { userId, trigger } = attempt.run;
    const connectionId = attempt.run.connectionId!;
    const em = reader(this.em);
    const { timeZone } = await em.findOneOrFail(User, { id: userId });
    const now = this.clock.now();
    const connection = await em.findOne(Connection, { userId, id: connectionId });
    if (!connection) return null;
    const installed = this.providers.get(connection.provider);
    await this.#applyPendingSwitch(connection, installed);
    const accounts = await em.find(Account, { userId, connectionId });
    const covered = await historyCoverage(this.em, connection, accounts, { now, isManual: trigger === 'person' });
    // No history is fetched for accounts that are left out.
    const deleted = await em.find(DeletedAccount, { userId, connectionId });
    for (const { externalId } of deleted) covered.set(externalId, [{ from: null, until: dateInTimeZone(now, 'UTC') }]);
    const knownAccounts = new Map<string, KnownAccount>(accounts.map((account) => [account.externalId, account]));
    for (const { externalId, name } of deleted) knownAccounts.set(externalId, { ...NOTHING_KNOWN, name });
    return { attempt, connection, installed, timeZone, accounts, knownAccounts, covered };
  }

  /** What the provider is asked. */
  request({ attempt, connection, installed, accounts, knownAccounts, covered }: PreparedSync): Request {
    const today = dateInTimeZone(this.clock.now(), 'UTC');
    const { trigger } = attempt.run;
    return {
      credential: this.vault.open(connection.credential, credentialOwner(connection)),
      today,
      historyFrom: addDays(today, -connection.historyDays),
      covered,
      cursor: connection.cursor,
      knownAccounts,
      includePending: connection.includePending,
      // A manual sync asks again, because providers add support for holdings.
      withoutHoldings: trigger === 'person' ? new Set() : withoutHoldings(accounts, today),
      wantsServerInfo: connection.serverVersions === null,
      budget: this.budgets.open(connection, installed.descriptor.requestLimit, trigger !== 'schedule'),
      renewCredential: (renewed) => this.#renewCredential(attempt, connection, renewed),
    };
  }

  /** Fenced, so that a replaced worker does not overwrite the credential of a later one or of a person. */
  #renewCredential(attempt: RunAttempt, { userId, id }: Connection, renewed: Secret): Promise<void> {
    const key = { userId, id };
    return attempt.writeUndated(async (em) => {
      await em.nativeUpdate(Connection, key, sealCredential(this.vault, key, renewed));
      return {};
    });
  }

  /** Stores the provider's setting, which takes precedence. */
  async #applyPendingSwitch(connection: Connection, { provider }: InstalledProvider): Promise<void> {
    const { userId, id } = connection;
    const includePending = provider.pendingSwitch ?? connection.includePending;
    if (includePending === connection.includePending) return;
    await this.em.transactional((em) => {
      noteChanges(userId, { kind: 'connections', ids: [id] });
      return em.nativeUpdate(Connection, { userId, id }, { includePending });
    });
    connection.includePending = includePending;
  }
}

/** The external ids of accounts without holdings, as the provider said not long ago. */
function withoutHoldings(accounts: readonly Account[], today: CalendarDate): Set<string> {
  const without = accounts.filter(({ holdingsRetryOn }) => holdingsRetryOn !== null && holdingsRetryOn > today);
  return new Set(without.map(({ externalId }) => externalId));
}
