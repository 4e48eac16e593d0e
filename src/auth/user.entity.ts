import { EntityName } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'users' })
export class User {
  [EntityName]?: 'users';

  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** Lower case. */
  @Property({ type: 'text' })
  email: string;

  /** Argon2id in PHC form. */
  @Property({ type: 'text', hidden: true })
  passwordHash: string;

  /** IANA name; decides which day it is for this person. */
  @Property({ type: 'text' })
  timeZone: string;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
