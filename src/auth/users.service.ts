import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { lockUser } from '../database/lock-user.js';
import { notify } from '../database/listener.js';
import { usingSessionsFor } from '../database/sessions/bounded-client.js';
import { Installed } from '../platform/module.js';
import { Clock } from '../platform/time/clock.js';
import { ApiKey } from './api-key.entity.js';
import { AuditTrailService } from './audit/audit-trail.service.js';
import { CALLERS_CHANNEL } from './caller-cache.js';
import { Invitation } from './invitation.entity.js';
import { hashPassword, verifyPassword } from './password.js';
import { DEFAULT_PREFERENCES, type Preferences } from './preferences.js';
import { StoredSession } from './session.entity.js';
import { notifyEndedSessions, type Session, SessionsService } from './sessions.service.js';
import { User } from './user.entity.js';
import { normalEmail, UsersRepository } from './users.repository.js';

export interface NewUser {
  email: string;
  password: string;
  /** IANA name. */
  timeZone: string;
}

/** Tables of all parts. */
type LockedTables = Record<string, { user_id: string; id: string }>;

@Injectable()
export class UsersService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UsersRepository,
    private readonly clock: Clock,
    private readonly audit: AuditTrailService,
    private readonly sessions: SessionsService,
    private readonly installed: Installed,
  ) {}

  /** `null` when the e-mail address is taken. */
  async create({ password, ...user }: NewUser): Promise<User | null> {
    const passwordHash = await hashPassword(password);
    try {
      return await this.em.transactional(() => this.insert({ ...user, passwordHash }));
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) return null;
      throw error;
    }
  }

  /**
   * Inserts in the open transaction. Hashing a password is slow: do it before the transaction.
   *
   * @throws UniqueConstraintViolationException when the e-mail address is taken
   */
  async insert({ email, passwordHash, timeZone }: Pick<User, 'email' | 'passwordHash' | 'timeZone'>): Promise<User> {
    const user = this.em.create(User, {
      id: randomUUID(),
      email: normalEmail(email),
      passwordHash,
      timeZone,
      theme: DEFAULT_PREFERENCES.theme,
      numberFormat: DEFAULT_PREFERENCES.numberFormat,
      createdAt: this.clock.now(),
    });
    await this.em.persist(user).flush();
    await this.audit.record({ userId: user.id, kind: 'signed_up' });
    return user;
  }

  async hasPassword(userId: string, password: string): Promise<boolean> {
    const user = await this.users.findById(userId);
    return user !== null && verifyPassword(user.passwordHash, password);
  }

  /**
   * Changes a password whose owner has given the old one, and ends every other session, in case the old one is known to
   * somebody else. Of several concurrent changes one wins.
   *
   * @param before the hash that was stored before the old password was verified
   * @param work runs in the transaction of the change
   * @returns whether the password was changed: `false` when another hash is stored by now
   */
  async changePassword(
    session: Session,
    before: string,
    password: string,
    work: () => Promise<void>,
  ): Promise<boolean> {
    const { userId } = session;
    const passwordHash = await hashPassword(password);
    return this.em.transactional(async () => {
      const key = { id: userId, passwordHash: before };
      if ((await this.em.nativeUpdate(User, key, { passwordHash })) === 0) return false;
      await this.audit.record({ userId, kind: 'password_changed' });
      await this.sessions.endOthers(session);
      await work();
      return true;
    });
  }

  /** Of somebody who has forgotten theirs. Whoever is signed in as them is signed out. */
  async resetPassword(userId: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.em.transactional(async () => {
      await this.em.nativeUpdate(User, { id: userId }, { passwordHash });
      await this.em.nativeDelete(StoredSession, { userId });
      await notifyEndedSessions(this.em, userId);
      await this.audit.record({ userId, kind: 'password_reset' });
    });
  }

  /** @param timeZone IANA name */
  async setTimeZone(userId: string, timeZone: string): Promise<void> {
    await this.em.transactional(async () => {
      await this.em.nativeUpdate(User, { id: userId }, { timeZone });
      // On Citus the row has no trigger that says so.
      await notify(this.em, CALLERS_CHANNEL, userId);
    });
  }

  /** Changes what is given. */
  async setPreferences(userId: string, changes: Partial<Preferences>): Promise<void> {
    await this.em.nativeUpdate(User, { id: userId }, changes);
  }

  /**
   * Deletes the user and, by cascade, everything that belongs to them. If that fails, they have no keys any more, and may
   * sign in and ask again.
   */
  async delete(userId: string): Promise<void> {
    await usingSessionsFor('background', async () => {
      await this.#lockOut(userId);
      await this.em.transactional(async () => {
        // Locks in the same order as a request with an Idempotency-Key and a sync, since another order could deadlock.
        const kysely = this.em.getKysely<LockedTables>();
        await kysely.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute();
        // Rows of theirs, and events, can still be added: whoever has locked one of these ends by recording an event.
        await lockUser(this.em, userId);
        const tables = this.installed.parts.toReversed().flatMap((part) => part.lockedBeforeDeletion ?? []);
        for (const table of tables)
          await kysely.selectFrom(table).select('id').where('user_id', '=', userId).orderBy('id').forUpdate().execute();
        await this.em.nativeDelete(Invitation, { userId });
        await this.em.nativeDelete(User, { id: userId });
        // They may have signed in again meanwhile.
        await notifyEndedSessions(this.em, userId);
      });
    });
    this.audit.log({ userId, kind: 'user_deleted' });
  }

  /**
   * Deletes the keys and sessions. With all else it would take long, and until it is over each request with one of the
   * keys would wait for its row in a session that authenticates everybody.
   */
  async #lockOut(userId: string): Promise<void> {
    await this.em.transactional(async () => {
      await this.em.nativeDelete(ApiKey, { userId });
      await this.em.nativeDelete(StoredSession, { userId });
      // The trigger on API keys does not cover sessions, and the user may have no key.
      await notifyEndedSessions(this.em, userId);
    });
  }
}
