import { Property } from '@mikro-orm/decorators/legacy';
import { CountColumn, FlagColumn, MomentColumn, TextColumn, UserRow, UserTable } from '../../database/columns.js';
import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { DomainError } from '../../platform/domain-error.js';

export const DEFAULT_HISTORY_DAYS = 730;
export const MAX_HISTORY_DAYS = 3650;

/** A person's access to a provider. */
@UserTable('connections')
export class Connection extends UserRow<'connections'> {
  @TextColumn()
  provider: string;

  @TextColumn()
  name: string;

  @TextColumn()
  status: 'active' | 'attention_required';

  /** Why a person is needed and what to do. */
  @TextColumn({ nullable: true })
  statusReason: string | null;

  /** Sealed by the credential vault. Empty: none is stored. */
  @TextColumn({ hidden: true })
  credential: string;

  /** Identifies the credential without unsealing it. */
  @TextColumn({ hidden: true })
  credentialFingerprint: string;

  /** Identifies what a person pasted last; `null`: it may be pasted again. */
  @TextColumn({ nullable: true, hidden: true })
  pastedFingerprint: string | null;

  @MomentColumn({ nullable: true, hidden: true })
  pastedAt: Date | null;

  /** When this credential was stored. */
  @MomentColumn()
  credentialSince: Date;

  /** The protocol versions that the provider's server reports, perhaps none; `null`: not fetched yet. */
  @Property({ type: 'array', columnType: 'text[]', nullable: true })
  serverVersions: string[] | null;

  /** Up to where the provider's changes are stored; `null`: everything is asked for, as by all that only lists. */
  @TextColumn({ nullable: true, hidden: true })
  cursor: string | null = null;

  /** The provider's own id of this access, by which its pushes name it. */
  @TextColumn({ nullable: true, hidden: true })
  externalId: string | null = null;

  /** When the consent ends; `null`: unknown, or never. */
  @MomentColumn({ nullable: true })
  accessUntil: Date | null = null;

  @FlagColumn()
  includePending: boolean;

  @CountColumn()
  historyDays: number;

  @MomentColumn({ nullable: true })
  lastSyncedAt: Date | null;

  @MomentColumn({ nullable: true })
  nextSyncAt: Date | null;

  @MomentColumn()
  createdAt: Date;

  @MomentColumn()
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
