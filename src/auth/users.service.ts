import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { usingSessionsFor } from '../database/sessions/session-limits.js';
import { Clock } from '../time/clock.js';
import { AuditTrail } from './audit/audit-trail.service.js';
import { hashPassword, verifyPassword } from './password.js';
import { DEFAULT_PREFERENCES, type Preferences } from './preferences.js';
import { SESSIONS_CHANNEL } from './sessions.service.js';
import { User } from './user.entity.js';

export interface NewUser {
  email: string;
  password: string;
  /** IANA name. */
  timeZone: string;
}

@Injectable()
export class UsersService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  /** `null` when the e-mail address is taken. */
  async create({ password, ...user }: NewUser): Promise<User | null> {
    const passwordHash = await hashPassword(password);
    try {
      return await this.em.fork().transactional(async (em) => {
        const created = await this.insert(em, { ...user, passwordHash });
        await this.audit.record({ userId: created.id, kind: 'signed_up' }, em);
        return created;
      });
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) return null;
      throw error;
    }
  }

  /**
   * Inserts in the transaction of `em`, if it has one. Hashing a password takes long: do it before the transaction.
   *
   * @throws UniqueConstraintViolationException when the e-mail address is taken
   */
  async insert(
    em: EntityManager,
    { email, passwordHash, timeZone }: Pick<User, 'email' | 'passwordHash' | 'timeZone'>,
  ): Promise<User> {
    const user = em.create(User, {
      id: randomUUID(),
      email: normalEmail(email),
      passwordHash,
      timeZone,
      theme: DEFAULT_PREFERENCES.theme,
      numberFormat: DEFAULT_PREFERENCES.numberFormat,
      createdAt: this.clock.now(),
    });
    await em.persist(user).flush();
    return user;
  }

  findByEmail(email: string, em = this.em.fork()): Promise<User | null> {
    return em.findOne(User, { email: normalEmail(email) });
  }

  async hasPassword(userId: string, password: string): Promise<boolean> {
    const user = await this.em.fork().findOneOrFail(User, { id: userId });
    return verifyPassword(user.passwordHash, password);
  }

  /**
   * Changes a password whose old one was checked. Of several changes at a time one wins: the others have checked a password
   * that is not theirs any more.
   *
   * @param old what was checked
   * @returns whether the password was changed
   */
  async changePassword(userId: string, old: string, password: string): Promise<boolean> {
    const em = this.em.fork();
    const { passwordHash: before } = await em.findOneOrFail(User, { id: userId });
    if (!(await verifyPassword(before, old))) return false;
    const passwordHash = await hashPassword(password);
    return em.transactional(async (inner) => {
      const key = { id: userId, passwordHash: before };
      if ((await inner.nativeUpdate(User, key, { passwordHash })) === 0) return false;
      await this.audit.record({ userId, kind: 'password_changed' }, inner);
      return true;
    });
  }

  /** @param timeZone IANA name */
  async setTimeZone(userId: string, timeZone: string): Promise<void> {
    await this.em.fork().nativeUpdate(User, { id: userId }, { timeZone });
  }

  async setPreferences(userId: string, { theme, numberFormat }: Preferences): Promise<void> {
    await this.em.fork().nativeUpdate(User, { id: userId }, { theme, numberFormat });
  }

  /** With the person goes all that is theirs: the database cascades. */
  async delete(userId: string): Promise<void> {
    await usingSessionsFor('background', () =>
      this.em.transactional(async (em) => {
        // In the order in which a sync locks them: in another one the two would wait for each other.
        for (const table of ['sync_runs', 'connections', 'accounts']) {
          await sql`select from ${sql.table(table)} where user_id = ${userId} order by id for update`.execute(
            em.getKysely(),
          );
        }
        await em.nativeDelete(User, { id: userId });
        // The trigger on API keys does not see sessions, and the user may have no key.
        await sql`select pg_notify(${SESSIONS_CHANNEL}, ${userId})`.execute(em.getKysely());
      }),
    );
    this.audit.log({ userId, kind: 'user_deleted' });
  }
}

/** As e-mail addresses are stored and compared. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
