import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError, recordNotFound } from '../../platform/domain-error.js';
import { DrainService, stopping } from '../../http/drain.service.js';
import { ConcurrencyLimiter } from '../../http/concurrency-limiter.js';
import type { BankProvider } from '../../providers/bank-provider.js';
import { ProviderError, ProviderInputError } from '../../providers/provider-error.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import type { Secret } from '../../platform/config/secret.js';
import { Config } from '../../platform/config/config.js';
import { unlessAborted, withAbortScope } from '../../platform/time/abort-scope.js';
import { Clock } from '../../platform/time/clock.js';
import { sealCredential } from '../connections/credentials/seal-credential.js';
import { Connection, type ConnectionKey, lockConnection } from '../connections/connection.entity.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import { CredentialVault } from '../../platform/vault/credential-vault.js';
import { lockUser } from '../../database/lock-user.js';
import { AuditTrailService } from '../../auth/audit/audit-trail.service.js';
import type { SyncTrigger } from '../sync-run.entity.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';
import { numberedName } from './numbered-name.js';

/** How many pasted secrets may be exchanged for credentials at the same time. */
const LIMITS = { perCaller: { 'key or session': 4, person: 6 }, perInstance: 30 };

/** From the first attempt at an exchange to an answer, retries included. Until then the same secret is not sent again. */
const CONNECT_DEADLINE_MS = 20_000;
/** How often a credential that the provider has given is stored again, while the database fails. */
const STORE_DELAYS_MS = [250, 500, 1_000, 2_000, 4_000];

/** What a connection says until its first credential is stored, also if the process ends before. */
const NOT_CONNECTED_YET =
  'The provider was asked for access and has not answered yet. If this lasts for more than a minute, the secret that you ' +
  'pasted may be used up: create a new one at the provider and reconnect with it.';

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
    private readonly drain: DrainService,
    private readonly vault: CredentialVault,
    private readonly runs: SyncRunsService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * Connects a bank and queues its first sync. The connection is stored before a single-use code is spent: whoever sends
   * the code again meets that row, and if this process dies, the row says what became of the code.
   *
   * @returns the id of the connection
   * @throws ProviderInputError, ProviderError as the port says; DomainError `conflict` for a known credential,
   * `rate_limit_exceeded` and `unavailable` while too many banks are being connected
   */
  async connect(wanted: NewConnection): Promise<string> {
    const { userId } = wanted;
    const key = { userId, id: randomUUID() };
    await this.em.transactional((em) => this.#insert(em, key, wanted));
    const undo = () => this.#forget(key);
    await this.#exchange(userId, wanted, undo, (credential) =>
      this.em.transactional(async (em) => {
        const { name } = await this.#write(em, key, wanted.provider, credential);
        noteChanges(userId, { kind: 'connections', ids: [key.id] });
        await this.audit.record({ userId, kind: 'connection_created', subjectId: key.id, subject: name });
      }),
    );
    await this.#requestSync(key, 'first');
    return key.id;
  }

  /**
   * Replaces the credential of a connection. A sync with the old one is cancelled, and a new one is queued.
   *
   * @param caller the API key or session
   * @throws like {@link connect}; DomainError `record_not_found` when the connection was removed meanwhile
   */
  async replaceCredential(
    { userId, id, provider }: ConnectionKey & { provider: string },
    caller: string,
    pasted: Secret,
  ): Promise<void> {
    const key = { userId, id };
    await this.em.transactional((em) => this.#markPasted(em, key, provider, pasted));
    const undo = async () => {
      await this.em.nativeUpdate(Connection, key, { pastedFingerprint: null, pastedAt: null });
    };
    await this.#exchange(userId, { caller, provider, pasted }, undo, (credential) =>
      this.em.transactional(async (em) => {
        await lockConnection(em, key);
        const { name, status } = await this.#write(em, key, provider, credential);
        noteChanges(userId, { kind: 'connections' });
        if (status === 'attention_required') {
          noteChanges(userId, { kind: 'connections', ids: [id], event: 'connection.recovered' });
        }
        await this.runs.cancelOpen(em, { userId, connectionId: id });
        await this.audit.record({ userId, kind: 'credential_replaced', subjectId: id, subject: name });
      }),
    );
    await this.#requestSync(key, 'person');
  }

  async #insert(em: EntityManager, key: ConnectionKey, wanted: NewConnection): Promise<void> {
    const { userId, provider, historyDays, pasted } = wanted;
    const now = this.clock.now();
    // Locked, so that parallel requests cannot exceed the limit or send one secret twice.
    await lockUser(em, userId);
    await this.#refuseMany(em, userId);
    await this.#refusePasted(em, key, provider, pasted);
    const [fingerprint] = this.vault.fingerprints(pasted);
    const created = em.create(Connection, {
      ...key,
      provider,
      name: wanted.name ?? (await this.#freeName(em, userId, provider)),
      includePending: this.providers.get(provider).provider.pendingSwitch ?? wanted.includePending,
      historyDays,
      status: 'attention_required',
      statusReason: NOT_CONNECTED_YET,
      credential: '',
      credentialFingerprint: `${key.id} has none`,
      pastedFingerprint: fingerprint,
      pastedAt: now,
      credentialSince: now,
      serverVersions: null,
      lastSyncedAt: null,
      nextSyncAt: null,
      createdAt: now,
      updatedAt: now,
    });
    await em.persist(created).flush();
    noteChanges(userId, { kind: 'connections', ids: [key.id] });
  }

  async #forget(key: ConnectionKey): Promise<void> {
    await this.em.transactional(async (em) => {
      await em.nativeDelete(Connection, key);
      noteChanges(key.userId, { kind: 'connections', ids: [key.id] }, { kind: 'connections' });
    });
  }

  async #markPasted(em: EntityManager, key: ConnectionKey, provider: string, pasted: Secret): Promise<void> {
    await lockUser(em, key.userId);
    await this.#refusePasted(em, key, provider, pasted);
    const [pastedFingerprint] = this.vault.fingerprints(pasted);
    const marked = await em.nativeUpdate(Connection, key, { pastedFingerprint, pastedAt: this.clock.now() });
    if (marked === 0) throw recordNotFound('connection');
  }

  /** A second click comes while the first one waits for the provider. */
  async #refusePasted(em: EntityManager, key: ConnectionKey, provider: string, pasted: Secret): Promise<void> {
    const pastedFingerprint = { $in: this.vault.fingerprints(pasted) };
    const { userId } = key;
    const found = await em.findOne(Connection, { userId, provider, pastedFingerprint });
    if (!found) return;
    const waitMs = (found.pastedAt?.getTime() ?? 0) + CONNECT_DEADLINE_MS - this.clock.now().getTime();
    const isAnswered = found.credential !== '' && found.credentialSince >= found.pastedAt!;
    if (!isAnswered && waitMs > 0) throw beingConnected(waitMs);
    // Its own connection may have lost the access that this secret gave.
    if (found.id !== key.id || waitMs > 0) throw alreadyConnected(found.name);
  }

  /**
   * Spends the secret and stores the credential, if need be for some seconds again and again, because it cannot be fetched
   * again. Limited, because each exchange holds a request to the provider open.
   *
   * @param undo makes it possible to paste the secret again, when nothing came of it
   */
  async #exchange(
    userId: string,
    { caller, provider, pasted }: Pick<NewConnection, 'caller' | 'provider' | 'pasted'>,
    undo: () => Promise<void>,
    store: (credential: Secret) => Promise<void>,
  ): Promise<void> {
    let release = () => {};
    try {
      release = this.#limiter.acquire({ 'key or session': caller, person: userId });
      const credential = await spend(this.providers.get(provider).provider, pasted, this.drain.begun);
      for (const delayMs of STORE_DELAYS_MS) {
        const failure = await store(credential).then(() => null, asFailure);
        if (!failure) return;
        this.#log.warn(`Storing a credential failed; it is tried again: ${failure.message}`);
        await wait(delayMs);
      }
      await store(credential);
    } catch (error) {
      const isAnswered = error instanceof ProviderError || error instanceof ProviderInputError;
      if (isAnswered || error instanceof DomainError) {
        await undo().catch((failure: unknown) => this.#log.warn(`Undoing a connection failed: ${String(failure)}`));
      }
      throw error;
    } finally {
      release();
    }
  }

  /** @returns the connection as it was */
  async #write(em: EntityManager, key: ConnectionKey, provider: string, credential: Secret) {
    const known = { userId: key.userId, provider, id: { $ne: key.id } };
    const fingerprints = this.vault.fingerprints(credential);
    const other = await em.findOne(Connection, { ...known, credentialFingerprint: { $in: fingerprints } });
    if (other) throw alreadyConnected(other.name);
    const fields = ['name', 'status', 'credential', 'credentialSince', 'lastSyncedAt'] as const;
    const replaced = await em.findOne(Connection, key, { fields });
    if (!replaced) throw recordNotFound('connection');
    await em.nativeUpdate(Connection, key, {
      ...sealCredential(this.vault, key, credential),
      credentialSince: replaced.credential === '' ? this.clock.now() : credentialSinceAfter(replaced, this.clock.now()),
      status: 'active',
      statusReason: null,
      serverVersions: null,
      cursor: null,
      accessUntil: null,
      nextSyncAt: null,
      updatedAt: this.clock.now(),
    });
    return replaced;
  }

  async #freeName(em: EntityManager, userId: string, provider: string): Promise<string> {
    const others = await em.find(Connection, { userId, provider }, { fields: ['name'] });
    const { defaultConnectionName } = this.providers.get(provider).descriptor;
    return numberedName(
      defaultConnectionName,
      others.map(({ name }) => name),
    );
  }

  async #refuseMany(em: EntityManager, userId: string): Promise<void> {
    const { maxConnectionsPerPerson: max } = this.config;
    if ((await em.count(Connection, { userId })) < max) return;
    throw new DomainError(
      'conflict',
      `You have ${max} connections, which is the limit. Remove one that you do not need.`,
    );
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

function alreadyConnected(name: string): DomainError {
  return new DomainError('conflict', `This credential is already connected as “${name}”.`);
}

function beingConnected(waitMs: number): DomainError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new DomainError('conflict', 'This credential is being connected at this moment.', { retryAfterSeconds });
}

/** What storing ran into, if it may succeed later. @throws DomainError */
function asFailure(error: Error): Error {
  if (error instanceof DomainError) throw error;
  return error;
}

/**
 * Exchanges a pasted secret for the credential to store.
 *
 * @param stop a stop has begun, which does not wait for the provider
 */
export async function spend(
  provider: Pick<BankProvider, 'connect'>,
  pasted: Secret,
  stop: AbortSignal,
): Promise<Secret> {
  if (stop.aborted) throw stopping();
  const noAnswer = () =>
    new ProviderError('network', `The provider did not answer within ${CONNECT_DEADLINE_MS / 1_000} s.`);
  const scope = { signals: [], timeoutMs: CONNECT_DEADLINE_MS, timeoutReason: noAnswer };
  return withAbortScope(scope, (signal) => unlessAborted(signal, provider.connect(pasted, signal)));
}
