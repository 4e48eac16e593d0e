import { EntityName, EntityRepositoryType } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { DEFAULT_PREFERENCES, type NumberFormat, type Theme } from './preferences.js';
import { UsersRepository } from './users.repository.js';

@Entity({ tableName: 'users', repository: () => UsersRepository })
export class User {
  [EntityName]?: 'users';
  [EntityRepositoryType]?: UsersRepository;

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

  @Property({ type: 'text' })
  theme: Theme = DEFAULT_PREFERENCES.theme;

  @Property({ type: 'text' })
  numberFormat: NumberFormat = DEFAULT_PREFERENCES.numberFormat;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
