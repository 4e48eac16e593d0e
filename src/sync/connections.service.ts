import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../api/api-error.js';
import type { Secret } from '../bank-provider/secret.js';
import { Clock } from '../time/clock.js';
import { BankProviders } from './bank-providers.js';
import { Connection } from './connection.entity.js';
import { credentialOwner } from './credential-owner.js';
import { CredentialVault } from './credential-vault.js';
import type { SyncRun } from './sync-run.entity.js';
import { SyncRuns } from './sync-runs.repository.js';

export interface NewConnection {
  userId: string;
  provider: string;
  name: string;
  pasted: Secret;
  includePending: boolean;
  historyDays: number;
}

const ALREADY_CONNECTED = 'This credential is already connected.';

@Injectable()
export class Connections {
  constructor(
    private readonly em: EntityManager,
    private readonly providers: BankProviders,
    private readonly vault: CredentialVault,
    private readonly runs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  /**
   * Connects a bank and queues its first sync. What the provider gave for a single-use token is stored before anything
   * else happens.
   *
   * @throws ProviderInputError, ProviderError as the port says; ApiError `conflict` for a credential already connected
   */
  async connect(wanted: NewConnection): Promise<{ connection: Connection; run: SyncRun }> {
    const credential = await this.providers.byName(wanted.provider).connect(wanted.pasted);
    const connection = await this.#store(wanted, credential);
    return { connection, run: await this.runs.request(connection.userId, connection.id, 'first') };
  }

  async #store(
    { userId, provider, name, historyDays, ...wanted }: NewConnection,
    credential: Secret,
  ): Promise<Connection> {
    const em = this.em.fork();
    const id = randomUUID();
    const now = this.clock.now();
    const includePending = this.providers.byName(provider).pendingSwitch ?? wanted.includePending;
    const fingerprints = this.vault.fingerprints(credential);
    const known = await em.count(Connection, { userId, provider, credentialFingerprint: { $in: fingerprints } });
    if (known > 0) throw new ApiError('conflict', ALREADY_CONNECTED);
    const connection = em.create(Connection, {
      ...{ userId, id, provider, name, includePending, historyDays, status: 'active', statusReason: null },
      credential: this.vault.seal(credential, credentialOwner({ userId, id })),
      credentialFingerprint: fingerprints[0],
      ...{ lastSyncedAt: null, nextSyncAt: null, createdAt: now, updatedAt: now },
    });
    try {
      await em.persist(connection).flush();
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) throw new ApiError('conflict', ALREADY_CONNECTED);
      throw error;
    }
    return connection;
  }
}
