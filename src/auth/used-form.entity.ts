import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A form that was sent, with its result until that is shown. */
@Entity({ tableName: 'used_forms' })
export class UsedForm {
  [EntityName]?: 'used_forms';
  [PrimaryKeyProp]?: ['userId', 'formId'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'blob' })
  formId: Uint8Array;

  /** Sealed; `null`: there is none yet, or it was shown. */
  @Property({ type: 'text', nullable: true, hidden: true })
  result: string | null;

  @Property({ type: 'datetime' })
  expiresAt: Date;
}
