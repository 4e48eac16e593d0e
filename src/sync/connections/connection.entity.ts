import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { DomainError } from '../../platform/domain-error.js';

export const DEFAULT_HISTORY_DAYS = 730;
export const MAX_HISTORY_DAYS = 3650;

/** A person's access to a provider. */
@Entity({ tableName: 'connections' })
export class Connection {
  [EntityName]?: 'connections';
  [PrimaryKeyProp]?: ['userId', 'id'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'text' })
  provider: string;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text' })
  status: 'active' | 'attention_required';

  /** Why a person is needed and what to do. */
  @Property({ type: 'text', nullable: true })
  statusReason: string | null;

  /** Sealed by the credential vault. Empty: none is stored. */
  @Property({ type: 'text', hidden: true })
  credential: string;

  /** Identifies the credential without unsealing it. */
  @Property({ type: 'text', hidden: true })
  credentialFingerprint: string;

  /** Identifies what a person pasted last; `null`: it may be pasted again. */
  @Property({ type: 'text', nullable: true, hidden: true })
  pastedFingerprint: string | null;

  @Property({ type: 'datetime', nullable: true, hidden: true })
  pastedAt: Date | null;

  /** When this credential was stored. */
  @Property({ type: 'datetime' })
  credentialSince: Date;

  /** The protocol versions that the provider's server reports, perhaps none; `null`: not fetched yet. */
  @Property({ type: 'array', columnType: 'text[]', nullable: true })
  serverVersions: string[] | null;

  @Property({ type: 'boolean' })
  includePending: boolean;

  @Property({ type: 'integer' })
  historyDays: number;

  @Property({ type: 'datetime', nullable: true })
  lastSyncedAt: Date | null;

  @Property({ type: 'datetime', nullable: true })
  nextSyncAt: Date | null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime' })
  updatedAt: Date;
}

export type ConnectionKey = Pick<Connection, 'userId' | 'id'>;

type Tables = InferClassEntityDB<typeof Connection>;

/** The connection was removed while something was done for it. Nothing is left to do, and nothing has failed. */
export class ConnectionRemovedError extends DomainError {
  constructor() {
    super('record_not_found', 'connection not found');
  }
}

/**
 * Locks a connection until the transaction of `em` ends: the first lock of every transaction that writes for it or
 * changes its sync. Whoever removes it or switches its pending transactions off
 * waits until then, so what is written for it agrees with its settings.
 *
 * @returns what may have changed since the connection was loaded
 * @throws ConnectionRemovedError
 */
export async function lockConnection(
  em: EntityManager,
  { userId, id }: ConnectionKey,
): Promise<Pick<Connection, 'includePending'>> {
  const connection = await em
    .getKysely<Tables>()
    .selectFrom('connections')
    .select('include_pending as includePending')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!connection) throw new ConnectionRemovedError();
  return connection;
}

/**
 * Locks all connections of a person in the same way.
 *
 * @returns the ids of the active ones
 */
export async function lockConnections(em: EntityManager, userId: string): Promise<Set<string>> {
  const connections = await em
    .getKysely<Tables>()
    .selectFrom('connections')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Set(connections.filter(({ status }) => status === 'active').map(({ id }) => id));
}
