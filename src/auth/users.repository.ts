import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { reader } from '../database/reader.js';
import type { User } from './user.entity.js';

type Tables = InferClassEntityDB<typeof User>;

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
