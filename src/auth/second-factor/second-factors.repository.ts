import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import type { RecoveryCode } from './recovery-code.entity.js';
import type { SecondFactor } from './second-factor.entity.js';

type Tables = InferClassEntityDB<typeof SecondFactor | typeof RecoveryCode>;

export class SecondFactorsRepository extends EntityRepository<SecondFactor> {
  /** `null`: none was begun. */
  async findState(userId: string) {
    const found = await this.em
      .getKysely<Tables>()
      .selectFrom('second_factors as factor')
      .select('factor.confirmed_at')
      .select((eb) =>
        eb
          .selectFrom('recovery_codes as code')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .whereRef('code.user_id', '=', 'factor.user_id')
          .where('code.used_at', 'is', null)
          .as('codes_left'),
      )
      .where('factor.user_id', '=', userId)
      .executeTakeFirst();
    return found ?? null;
  }

  /** Inserts one that is not confirmed, or replaces one. @returns `false`: there is a confirmed one */
  async begin({ userId, id, credential }: Pick<SecondFactor, 'userId' | 'id' | 'credential'>, now: Date) {
    const begun = await this.em
      .getKysely<Tables>()
      .insertInto('second_factors')
      .values({ user_id: userId, id, credential, confirmed_at: null, last_used_step: 0, created_at: now })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet((eb) => ({
            id: eb.ref('excluded.id'),
            credential: eb.ref('excluded.credential'),
            created_at: eb.ref('excluded.created_at'),
            last_used_step: 0,
          }))
          .where('second_factors.confirmed_at', 'is', null),
      )
      .returning('id')
      .executeTakeFirst();
    return begun !== undefined;
  }

  /** Before its codes are changed. @returns whether it is on */
  async lockConfirmed(userId: string): Promise<boolean> {
    const on = await this.em
      .getKysely<Tables>()
      .selectFrom('second_factors')
      .select('id')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst();
    return on !== undefined;
  }
}
