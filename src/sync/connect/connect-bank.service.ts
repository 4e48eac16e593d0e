import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../errors/domain-error.js';
import { ConcurrencyLimiter } from '../../http/limits/concurrency-limiter.js';
import { type InstalledProvider, ProviderRegistry } from '../../bank-provider/provider-registry.js';
import type { Secret } from '../../config/secret.js';
import { Config } from '../../config/config.js';
import { reader } from '../../database/reader.js';
import { Clock } from '../../time/clock.js';
import { type ClaimOwner, SingleUseClaimsService } from '../../connections/credentials/single-use-claims.service.js';
import { sealCredential } from '../../connections/credentials/seal-credential.js';
import { Connection, type ConnectionKey, lockConnection } from '../../connections/connection.entity.js';
import { noteChanges } from '../../change-log/note-changes.js';
import { CredentialVault } from '../../vault/credential-vault.js';
import { lockUser } from '../../auth/users.service.js';
import { AuditTrailService } from '../../auth/audit/audit-trail.service.js';
import type { SyncTrigger } from '../sync-run.entity.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';
import { numberedName } from './numbered-name.js';

/** How many pasted secrets may be exchanged for credentials at the same time. */
const LIMITS = { perCaller: { 'key or session': 4, person: 6 }, perInstance: 30 };

export interface NewConnection {
  userId: string;
  /** The API key or session. */
  caller: string;
  provider: string;
  /** `null`: the provider's default name, numbered if it is taken. */
  name: string | null;
  pasted: Secret;
  includePending: boolean;
  historyDays: number;
}

/** Connects banks and replaces credentials. */
@Injectable()
export class ConnectBankService {
  readonly #log = new Logger(ConnectBankService.name);
  readonly #limiter = new ConcurrencyLimiter('banks being connected', LIMITS);

  constructor(
    private readonly em: EntityManager,
    private readonly providers: ProviderRegistry,
    private readonly claims: SingleUseClaimsService,
    private readonly vault: CredentialVault,
    private readonly runs: SyncRunsService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * Connects a bank and queues its first sync.
   *
   * @returns the id of the connection
   * @throws ProviderInputError, ProviderError as the port says; DomainError `conflict` for a known credential,
   * `rate_limit_exceeded` and `unavailable` while too many banks are being connected
   */
  async connect(wanted: NewConnection): Promise<string> {
    const { userId, caller, pasted } = wanted;
    const provider = this.providers.get(wanted.provider);
    // Checked before a token is spent, and outside a transaction: a commit would mark the request's idempotency key, so
    // that it could never run again if this process died while the bank is asked.
    await this.#refuseMany(reader(this.em), userId);
    const id = await this.#redeem({ caller, userId, connectionId: null }, provider, pasted, (credential) =>
      this.#store(wanted, credential),
    );
    await this.#requestSync({ userId, id }, 'first');
    return id;
  }

  /**
   * Replaces the credential of a connection. A sync with the old one is cancelled, and a new one is queued.
   *
   * @param caller the API key or session
   * @throws like {@link connect}; DomainError `record_not_found` when the connection was removed meanwhile
   */
  async replaceCredential(
    { userId, id, provider: name }: ConnectionKey & { provider: string },
    caller: string,
    pasted: Secret,
  ): Promise<void> {
    const provider = this.providers.get(name);
    const target = { caller, userId, connectionId: id };
    await this.#redeem(target, provider, pasted, (credential) => this.#replace({ userId, id }, name, credential));
    await this.#requestSync({ userId, id }, 'person');
  }

  /** Limited, because each exchange holds a request to the provider open. */
  async #redeem(
    { caller, ...owner }: ClaimOwner & { caller: string },
    provider: InstalledProvider,
    pasted: Secret,
    store: (credential: Secret) => Promise<string>,
  ): Promise<string> {
    const release = this.#limiter.acquire({ 'key or session': caller, person: owner.userId });
    try {
      return await this.claims.redeem(owner, provider, pasted, store);
    } finally {
      release();
    }
  }

  #store({ userId, provider, historyDays, ...wanted }: NewConnection, credential: Secret): Promise<string> {
    const id = randomUUID();
    const now = this.clock.now();
    const includePending = this.providers.get(provider).provider.pendingSwitch ?? wanted.includePending;
    const store = async (em: EntityManager) => {
      await this.#refuseKnown(em, { userId, id }, provider, credential);
      // Locked, so that parallel requests cannot exceed the limit.
      await lockUser(em, userId);
      await this.#refuseMany(em, userId);
      const name = wanted.name ?? (await this.#freeName(em, userId, provider));
      const created = em.create(Connection, {
        userId,
        id,
        provider,
        name,
        includePending,
        historyDays,
        status: 'active',
        statusReason: null,
        ...this.#sealed({ userId, id }, credential),
        serverVersions: null,
        lastSyncedAt: null,
        nextSyncAt: null,
        createdAt: now,
        updatedAt: now,
      });
      await em.persist(created).flush();
      await this.audit.record({ userId, kind: 'connection_created', subjectId: id, subject: name });
      noteChanges(userId, { kind: 'connections', ids: [id] });
      return id;
    };
    return this.#refuseConcurrent(() => this.em.transactional(store));
  }

  async #freeName(em: EntityManager, userId: string, provider: string): Promise<string> {
    const others = await em.find(Connection, { userId, provider }, { fields: ['name'] });
    const { defaultConnectionName } = this.providers.get(provider).descriptor;
    return numberedName(
      defaultConnectionName,
      others.map(({ name }) => name),
    );
  }

  #replace(key: ConnectionKey, provider: string, credential: Secret): Promise<string> {
    const replace = async (em: EntityManager) => {
      await lockConnection(em, key);
      await this.#refuseKnown(em, key, provider, credential);
      const fields = ['name', 'status', 'credentialSince', 'lastSyncedAt'] as const;
      const replaced = await em.findOneOrFail(Connection, key, { fields });
      const { name, status } = replaced;
      await em.nativeUpdate(Connection, key, {
        ...this.#sealed(key, credential),
        credentialSince: credentialSinceAfter(replaced, this.clock.now()),
        status: 'active',
        statusReason: null,
        serverVersions: null,
        nextSyncAt: null,
        updatedAt: this.clock.now(),
      });
      noteChanges(key.userId, { kind: 'connections' });
      if (status === 'attention_required') {
        noteChanges(key.userId, { kind: 'connections', ids: [key.id], event: 'connection.recovered' });
      }
      await this.runs.cancelOpen(em, { userId: key.userId, connectionId: key.id });
      const { userId, id: subjectId } = key;
      await this.audit.record({ userId, kind: 'credential_replaced', subjectId, subject: name });
      return key.id;
    };
    return this.#refuseConcurrent(() => this.em.transactional(replace));
  }

  /** Maps the unique violation of two equal credentials at the same moment. */
  async #refuseConcurrent<T>(store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) throw alreadyConnected(null);
      throw error;
    }
  }

  async #refuseKnown(em: EntityManager, { userId, id }: ConnectionKey, provider: string, credential: Secret) {
    const fingerprints = this.vault.fingerprints(credential);
    const known = { userId, provider, credentialFingerprint: { $in: fingerprints }, id: { $ne: id } };
    const other = await em.findOne(Connection, known);
    if (other) throw alreadyConnected(other.name);
  }

  async #refuseMany(em: EntityManager, userId: string): Promise<void> {
    const { maxConnectionsPerPerson: max } = this.config;
    if ((await em.count(Connection, { userId })) < max) return;
    throw new DomainError(
      'conflict',
      `You have ${max} connections, which is the limit. Remove one that you do not need.`,
    );
  }

  #sealed(key: ConnectionKey, credential: Secret) {
    return { ...sealCredential(this.vault, key, credential), credentialSince: this.clock.now() };
  }

  /** An error is only logged: the credential is stored, and the schedule queues the sync at its next tick. */
  async #requestSync({ userId, id }: ConnectionKey, trigger: SyncTrigger): Promise<void> {
    try {
      await this.runs.request(userId, id, trigger);
    } catch (error) {
      this.#log.warn(`Queuing the sync of connection ${id} failed; the schedule queues it: ${String(error)}`);
    }
  }
}

/** Later than the answers to the credential before it, although clocks of instances differ by seconds. */
function credentialSinceAfter(replaced: Pick<Connection, 'credentialSince' | 'lastSyncedAt'>, now: Date): Date {
  const { credentialSince, lastSyncedAt } = replaced;
  return new Date(Math.max(now.getTime(), credentialSince.getTime() + 1, (lastSyncedAt?.getTime() ?? 0) + 1));
}

function alreadyConnected(name: string | null): DomainError {
  const where = name === null ? '' : ` as “${name}”`;
  return new DomainError('conflict', `This credential is already connected${where}.`);
}
