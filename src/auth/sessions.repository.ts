import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import type { StoredSession } from './session.entity.js';
import type { User } from './user.entity.js';

type Tables = InferClassEntityDB<typeof StoredSession | typeof User>;

/** Sessions of the pages. Tokens are given as their hashes. */
export class SessionsRepository extends EntityRepository<StoredSession> {
  /** With its person; `null` for unknown and expired alike. @param begunAfter of an older one nothing is found */
  async findOpen(tokenHash: Buffer, now: Date, begunAfter: Date) {
    const row = await this.em
      .getKysely<Tables>()
      .selectFrom('sessions as session')
      .innerJoin('users as user', 'user.id', 'session.user_id')
      .select(['session.user_id', 'session.created_at', 'session.last_seen_at', 'session.password_given_at'])
      .select(['user.email', 'user.time_zone', 'user.theme', 'user.number_format'])
      .where('session.token_hash', '=', tokenHash)
      .where('session.expires_at', '>', now)
      .where('session.created_at', '>', begunAfter)
      .executeTakeFirst();
    return row ?? null;
  }

  /** The current one first, then the most recently used. */
  listOpen(userId: string, currentHash: Buffer, now: Date) {
    return this.em
      .getKysely<Tables>()
      .selectFrom('sessions')
      .select(['id', 'device', 'client_address', 'created_at', 'last_seen_at'])
      .select((eb) => eb('token_hash', '=', currentHash).as('is_current'))
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .orderBy('is_current', 'desc')
      .orderBy('last_seen_at', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
  }

  /** Deletes what has expired, and of the open ones all but those used last. @returns how many */
  async deleteBeyond(userId: string, kept: number, now: Date): Promise<number> {
    const { numDeletedRows } = await this.em
      .getKysely<Tables>()
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where((eb) =>
        eb.or([
          eb('expires_at', '<=', now),
          eb('token_hash', 'in', (of) =>
            of
              .selectFrom('sessions')
              .select('token_hash')
              .where('user_id', '=', userId)
              .where('expires_at', '>', now)
              .orderBy('last_seen_at', 'desc')
              .orderBy('created_at', 'desc')
              .offset(kept),
          ),
        ]),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** @param id only the session with this id; absent: all others. @returns the devices of those deleted */
  async deleteOthers(userId: string, currentHash: Buffer, id?: string): Promise<(string | null)[]> {
    const rows = await this.em
      .getKysely<Tables>()
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('token_hash', '<>', currentHash)
      .$if(id !== undefined, (others) => others.where('id', '=', id!))
      .returning('device')
      .execute();
    return rows.map(({ device }) => device);
  }
}
