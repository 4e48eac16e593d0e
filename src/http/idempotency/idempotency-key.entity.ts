import { EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** What is done once: a request under its `Idempotency-Key`, or a form, with the answer to give again. */
@Entity({ tableName: 'idempotency_keys', repository: () => IdempotencyKeysRepository })
export class IdempotencyKey {
  [EntityName]?: 'idempotency_keys';
  [EntityRepositoryType]?: IdempotencyKeysRepository;
  [PrimaryKeyProp]?: ['userId', 'key'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  /** Behind its owner and a blank, if it has one: an API key that is limited to accounts, or `form`. */
  @PrimaryKey({ type: 'text' })
  key: string;

  /** Of the request: the same key with another one is refused. A form's is empty, since its key is of its page alone. */
  @Property({ type: 'text' })
  fingerprint: string;

  /** Differs for each request. */
  @Property({ type: 'uuid' })
  holder: string;

  @Property({ type: 'datetime' })
  leasedUntil: Date;

  /** Set by the transactions of the request: it must not run again. */
  @Property({ type: 'boolean' })
  hasCommitted: boolean;

  /** Sealed; `null`: there is none yet, or it was shown. */
  @Property({ type: 'text', nullable: true, hidden: true })
  answer: string | null;

  @Property({ type: 'datetime' })
  expiresAt: Date;
}
