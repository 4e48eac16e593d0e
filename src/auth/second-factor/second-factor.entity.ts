import { EntityRepositoryType } from '@mikro-orm/core';
import { BigColumn, MomentColumn, TextColumn, UserRow, UserTable } from '../../database/columns.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

/** A person's authenticator app. */
@UserTable('second_factors', () => SecondFactorsRepository)
export class SecondFactor extends UserRow<'second_factors'> {
  [EntityRepositoryType]?: SecondFactorsRepository;

  /** The secret of the app, sealed by the credential vault. */
  @TextColumn({ hidden: true })
  credential: string;

  /** `null`: it is being set up, and not asked for. */
  @MomentColumn({ nullable: true })
  confirmedAt: Date | null;

  /** The time step of the newest code that was accepted: none is accepted twice. */
  @BigColumn()
  lastUsedStep: number;

  @MomentColumn()
  createdAt: Date;
}
