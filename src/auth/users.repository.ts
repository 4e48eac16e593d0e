import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { reader } from '../database/reader.js';
import type { User } from './user.entity.js';

type Tables = InferClassEntityDB<typeof User>;

const MINUTE_MS = 60_000;
/** A visit ends after so long without a look. */
const PAUSE_MS = 30 * MINUTE_MS;
/** How old `looked_at` may be before it is written again. */
const LOOKED_COARSE_MS = 5 * MINUTE_MS;

export class UsersRepository extends EntityRepository<User> {
  findByEmail(email: string): Promise<User | null> {
    return reader(this.em).findOne(this.entityName, { email: normalEmail(email) });
  }

  /** `null` once they are deleted. */
  findById(id: string): Promise<User | null> {
    return reader(this.em).findOne(this.entityName, { id });
  }

  async isEmpty(): Promise<boolean> {
    const anybody = await this.em.getKysely<Tables>().selectFrom('users').select('id').limit(1).executeTakeFirst();
    return anybody === undefined;
  }

  /**
   * Remembers that a person looks at the overview. A visit ends after a pause, so that a reload and a second tab are part of it.
   *
   * @returns when the visit before this one ended; `null`: there was none
   */
  async look(id: string, now: Date): Promise<Date | null> {
    const { lookedAt, lastVisitAt } = await reader(this.em).findOneOrFail(this.entityName, { id });
    const pauseMs = lookedAt ? now.getTime() - lookedAt.getTime() : Infinity;
    if (pauseMs < LOOKED_COARSE_MS) return lastVisitAt;
    const before = pauseMs < PAUSE_MS ? lastVisitAt : lookedAt;
    await this.nativeUpdate({ id }, { lookedAt: now, lastVisitAt: before });
    return before;
  }

  /** Whether a hash is still stored, and until the transaction ends: what replaces it waits, and ends the session then. */
  async keepPassword({ id, passwordHash }: Pick<User, 'id' | 'passwordHash'>): Promise<boolean> {
    const kept = await this.em
      .getKysely<Tables>()
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('password_hash', '=', passwordHash)
      .forShare()
      .executeTakeFirst();
    return kept !== undefined;
  }
}

/** The form in which e-mail addresses are stored and compared. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
