import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { AuditTrailService, currentOrigin } from './audit/audit-trail.service.js';
import { hashOfText, randomText } from './one-time-text.js';
import type { Preferences } from './preferences.js';
import { StoredSession } from './session.entity.js';
import type { User } from './user.entity.js';
import { notify } from '../database/listener.js';

type Tables = InferClassEntityDB<typeof StoredSession | typeof User>;

const MINUTE_MS = 60_000;
/** A session ends after this time without use. */
const IDLE_MS = 30 * DAY_MS;
/** A session ends this long after the sign-in, however much it is used. */
export const MAX_SESSION_MS = 90 * DAY_MS;
/** How old `last_seen_at` may be before it is written again. */
const LAST_SEEN_COARSE_MS = 3_600_000;
/** How long after a password was given a session may do what needs a recent one. */
const FRESH_PASSWORD_MINUTES = 10;
/** Per person; the session unused for longest ends. */
const MAX_SESSIONS = 50;

/** The person who looks at the pages. */
export interface Session {
  token: string;
  userId: string;
  email: string;
  /** IANA name; decides which day it is for this person. */
  timeZone: string;
  preferences: Preferences;
  /** Whether the password was given recently. */
  isPasswordFresh: boolean;
}

/** A session in its owner's list. */
export interface ListedSession {
  id: string;
  device: string | null;
  clientAddress: string | null;
  createdAt: Date;
  /** Written at most once an hour. */
  lastSeenAt: Date;
  isCurrent: boolean;
}

/** What identifies a session without its token. */
export function sessionIdOf({ token }: Session): string {
  return hashOfText(token).toString('hex');
}

/** Sessions of the pages, stored in the database: every instance knows them, and ending one ends it everywhere. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * For a person whose password was just verified.
   *
   * @param user with the hash that it was verified against
   * @returns the token for the cookie, which is not stored; `null` when another password is stored by now
   */
  async begin({ id: userId, passwordHash }: Pick<User, 'id' | 'passwordHash'>): Promise<string | null> {
    const token = randomText();
    const now = this.clock.now();
    const { clientAddress, device } = currentOrigin();
    return this.em.transactional(async (em) => {
      if (!(await isPasswordKept(em, userId, passwordHash))) return null;
      await this.#makeRoom(em, userId, now);
      await em.insert(StoredSession, {
        userId,
        tokenHash: hashOfText(token),
        id: randomUUID(),
        clientAddress,
        device,
        passwordGivenAt: now,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(now.getTime() + IDLE_MS),
      });
      await this.audit.record({ userId, kind: 'signed_in' });
      return token;
    });
  }

  async #makeRoom(em: EntityManager, userId: string, now: Date): Promise<void> {
    const { numDeletedRows } = await em
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
              .offset(MAX_SESSIONS - 1),
          ),
        ]),
      )
      .executeTakeFirst();
    if (numDeletedRows > 0n) await notifyEndedSessions(em, userId);
  }

  /** `null` for unknown and expired alike. */
  async find(token: string): Promise<Session | null> {
    const now = this.clock.now();
    const row = await this.em
      .getKysely<Tables>()
      .selectFrom('sessions as session')
      .innerJoin('users as user', 'user.id', 'session.user_id')
      .select(['session.user_id', 'session.created_at', 'session.last_seen_at', 'session.password_given_at'])
      .select(['user.email', 'user.time_zone', 'user.theme', 'user.number_format'])
      .where('session.token_hash', '=', hashOfText(token))
      .where('session.expires_at', '>', now)
      .where('session.created_at', '>', new Date(now.getTime() - MAX_SESSION_MS))
      .executeTakeFirst();
    if (!row) return null;
    if (now.getTime() - new Date(row.last_seen_at).getTime() >= LAST_SEEN_COARSE_MS) {
      await this.#prolong(token, new Date(row.created_at), now);
    }
    const { user_id: userId, email, time_zone: timeZone, password_given_at: givenAt } = row;
    const sinceGivenMs = givenAt === null ? Infinity : now.getTime() - new Date(givenAt).getTime();
    const isPasswordFresh = sinceGivenMs < FRESH_PASSWORD_MINUTES * MINUTE_MS;
    const preferences = { theme: row.theme, numberFormat: row.number_format };
    return { token, userId, email, timeZone, preferences, isPasswordFresh };
  }

  /** The open sessions, most recently used first. */
  async list({ userId, token }: Session): Promise<ListedSession[]> {
    const rows = await this.em
      .getKysely<Tables>()
      .selectFrom('sessions')
      .select(['id', 'device', 'client_address', 'created_at', 'last_seen_at'])
      .select((eb) => eb('token_hash', '=', hashOfText(token)).as('is_current'))
      .where('user_id', '=', userId)
      .where('expires_at', '>', this.clock.now())
      .orderBy('is_current', 'desc')
      .orderBy('last_seen_at', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      device: row.device,
      clientAddress: row.client_address,
      createdAt: new Date(row.created_at),
      lastSeenAt: new Date(row.last_seen_at),
      isCurrent: Boolean(row.is_current),
    }));
  }

  /** Records that the password was just given. */
  async markPasswordGiven({ userId, token }: Session): Promise<void> {
    const own = { userId, tokenHash: hashOfText(token) };
    await this.em.nativeUpdate(StoredSession, own, { passwordGivenAt: this.clock.now() });
  }

  /** Signs out. */
  async end({ userId, token }: Session): Promise<void> {
    await this.em.transactional(async (em) => {
      await em.nativeDelete(StoredSession, { userId, tokenHash: hashOfText(token) });
      await notifyEndedSessions(em, userId);
      await this.audit.record({ userId, kind: 'signed_out' });
    });
  }

  /**
   * Ends other sessions of the person on all instances.
   *
   * @param id only the session with this id; absent: all others
   * @returns how many ended
   */
  async endOthers({ userId, token }: Session, id?: string): Promise<number> {
    return this.em.transactional(async (em) => {
      const others = em
        .getKysely<Tables>()
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('token_hash', '<>', hashOfText(token));
      const ended = id ? others.where('id', '=', id) : others;
      const rows = await ended.returning('device').execute();
      if (rows.length === 0) return 0;
      await notifyEndedSessions(em, userId);
      const [{ device } = { device: null }] = rows;
      const subject = rows.length === 1 && device !== null ? device : `${rows.length}`;
      await this.audit.record({ userId, kind: 'sessions_ended', subject });
      return rows.length;
    });
  }

  async #prolong(token: string, createdAt: Date, now: Date): Promise<void> {
    const used = {
      lastSeenAt: now,
      clientAddress: currentOrigin().clientAddress,
      expiresAt: new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + MAX_SESSION_MS)),
    };
    await this.em.nativeUpdate(StoredSession, { tokenHash: hashOfText(token) }, used);
  }
}

/** Whether a hash is still stored, and until the transaction ends: what replaces it waits, and ends the session then. */
async function isPasswordKept(em: EntityManager, userId: string, passwordHash: string): Promise<boolean> {
  const kept = await em
    .getKysely<Tables>()
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  return kept !== undefined;
}

/** The PostgreSQL channel for ended sessions. The payload is the user's id. */
export const SESSIONS_CHANNEL = 'tidemark_sessions';

/** Notifies all instances that sessions of a person have ended, once the transaction of `em` commits. */
export async function notifyEndedSessions(em: EntityManager, userId: string): Promise<void> {
  await notify(em, SESSIONS_CHANNEL, userId);
}
