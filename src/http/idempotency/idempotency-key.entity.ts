import { EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { FlagColumn, IdColumn, MomentColumn, TextColumn } from '../../database/columns.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** What is done once: a request under its `Idempotency-Key`, or a form, with the answer to give again. */
@Entity({ tableName: 'idempotency_keys', repository: () => IdempotencyKeysRepository })
export class IdempotencyKey {
  [EntityName]?: 'idempotency_keys';
  [EntityRepositoryType]?: IdempotencyKeysRepository;
  [PrimaryKeyProp]?: ['userId', 'key'];

  @IdColumn({ primary: true })
  userId: string;

  /** Behind its owner and a blank, if it has one: an API key that is limited to accounts, or `form`. */
  @TextColumn({ primary: true })
  key: string;

  /** Of the request: the same key with another one is refused. A form's is empty, since its key is of its page alone. */
  @TextColumn()
  fingerprint: string;

  /** Differs for each request. */
  @IdColumn()
  holder: string;

  @MomentColumn()
  leasedUntil: Date;

  /** Set by the transactions of the request: it must not run again. */
  @FlagColumn()
  hasCommitted: boolean;

  /** Sealed; `null`: there is none yet, or it was shown. */
  @TextColumn({ nullable: true, hidden: true })
  answer: string | null;

  @MomentColumn()
  expiresAt: Date;
}
