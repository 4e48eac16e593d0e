import { BigIntType, EntityName, EntityRepositoryType, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { SecondFactorsRepository } from './second-factors.repository.js';

/** A person's authenticator app. */
@Entity({ tableName: 'second_factors', repository: () => SecondFactorsRepository })
export class SecondFactor {
  [EntityName]?: 'second_factors';
  [EntityRepositoryType]?: SecondFactorsRepository;
  [PrimaryKeyProp]?: ['userId', 'id'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** The secret of the app, sealed by the credential vault. */
  @Property({ type: 'text', hidden: true })
  credential: string;

  /** `null`: it is being set up, and not asked for. */
  @Property({ type: 'datetime', nullable: true })
  confirmedAt: Date | null;

  /** The time step of the newest code that was accepted: none is accepted twice. */
  @Property({ type: new BigIntType('number') })
  lastUsedStep: number;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
