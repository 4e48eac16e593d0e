import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../time/clock.js';
import { hashPassword, verifyPassword } from './password.js';
import { SESSIONS_CHANNEL } from './sessions.service.js';
import { User } from './user.entity.js';

export interface NewUser {
  email: string;
  password: string;
  /** IANA name. */
  timeZone: string;
}

@Injectable()
export class Users {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** `null` when the e-mail address is taken. */
  async create({ email, password, timeZone }: NewUser): Promise<User | null> {
    const em = this.em.fork();
    const user = em.create(User, {
      id: randomUUID(),
      email: email.trim().toLowerCase(),
      passwordHash: await hashPassword(password),
      timeZone,
      createdAt: this.clock.now(),
    });
    try {
      await em.persist(user).flush();
      return user;
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) return null;
      throw error;
    }
  }

  findByEmail(email: string): Promise<User | null> {
    return this.em.fork().findOne(User, { email: email.trim().toLowerCase() });
  }

  async hasPassword(userId: string, password: string): Promise<boolean> {
    const user = await this.em.fork().findOneOrFail(User, { id: userId });
    return verifyPassword(user.passwordHash, password);
  }

  async setPassword(userId: string, password: string): Promise<void> {
    await this.em.fork().nativeUpdate(User, { id: userId }, { passwordHash: await hashPassword(password) });
  }

  /** @param timeZone IANA name */
  async setTimeZone(userId: string, timeZone: string): Promise<void> {
    await this.em.fork().nativeUpdate(User, { id: userId }, { timeZone });
  }

  /** With the person goes all that is theirs: the database cascades. */
  async delete(userId: string): Promise<void> {
    await this.em.transactional(async (em) => {
      // In the order in which a sync locks them: in another one the two would wait for each other.
      for (const table of ['sync_runs', 'connections', 'accounts']) {
        await sql`select from ${sql.table(table)} where user_id = ${userId} order by id for update`.execute(
          em.getKysely(),
        );
      }
      await em.nativeDelete(User, { id: userId });
      // The trigger on API keys does not see sessions, and the user may have no key.
      await sql`select pg_notify(${SESSIONS_CHANNEL}, ${userId})`.execute(em.getKysely());
    });
  }
}
