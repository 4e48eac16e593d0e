import { EntityName, EntityRepositoryType } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { IdColumn, MomentColumn, TextColumn } from '../database/columns.js';
import { DEFAULT_PREFERENCES, type NumberFormat, type Theme } from './preferences.js';
import { UsersRepository } from './users.repository.js';

@Entity({ tableName: 'users', repository: () => UsersRepository })
export class User {
  [EntityName]?: 'users';
  [EntityRepositoryType]?: UsersRepository;

  @IdColumn({ primary: true })
  id: string;

  /** Lower case. */
  @TextColumn()
  email: string;

  /** Argon2id in PHC form. */
  @TextColumn({ hidden: true })
  passwordHash: string;

  /** IANA name; decides which day it is for this person. */
  @TextColumn()
  timeZone: string;

  @TextColumn()
  theme: Theme = DEFAULT_PREFERENCES.theme;

  @TextColumn()
  numberFormat: NumberFormat = DEFAULT_PREFERENCES.numberFormat;

  /** At the overview; written at most every few minutes. */
  @MomentColumn({ nullable: true })
  lookedAt: Date | null = null;

  /** The end of the visit before the present one. */
  @MomentColumn({ nullable: true })
  lastVisitAt: Date | null = null;

  @MomentColumn()
  createdAt: Date;
}
