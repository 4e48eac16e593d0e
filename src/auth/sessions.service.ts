import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { notify } from '../database/listener.js';
import { DAY_MS } from '../platform/time/calendar-date.js';
import { Clock } from '../platform/time/clock.js';
import { AuditTrailService, currentOrigin } from './audit/audit-trail.service.js';
import { hashOfText, randomText } from './one-time-text.js';
import type { Preferences } from './preferences.js';
import { SessionsRepository } from './sessions.repository.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

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
    private readonly sessions: SessionsRepository,
    private readonly users: UsersRepository,
    private readonly clock: Clock,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * For a person whose password was just verified.
   *
   * @param user with the hash that it was verified against
   * @returns the token for the cookie, which is not stored; `null` when another password is stored by now
   */
  async begin(user: Pick<User, 'id' | 'passwordHash'>): Promise<string | null> {
    const token = randomText();
    const userId = user.id;
    const now = this.clock.now();
    const { clientAddress, device } = currentOrigin();
    return this.em.transactional(async (em) => {
      if (!(await this.users.keepPassword(user))) return null;
      const ended = await this.sessions.deleteBeyond(userId, MAX_SESSIONS - 1, now);
      if (ended > 0) await notifyEndedSessions(em, userId);
      await this.sessions.insert({
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

  /** `null` for unknown and expired alike. */
  async find(token: string): Promise<Session | null> {
    const now = this.clock.now();
    const begunAfter = new Date(now.getTime() - MAX_SESSION_MS);
    const row = await this.sessions.findOpen(hashOfText(token), now, begunAfter);
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
    const rows = await this.sessions.listOpen(userId, hashOfText(token), this.clock.now());
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
    await this.sessions.nativeUpdate(own, { passwordGivenAt: this.clock.now() });
  }

  /** Signs out. */
  async end({ userId, token }: Session): Promise<void> {
    await this.em.transactional(async (em) => {
      await this.sessions.nativeDelete({ userId, tokenHash: hashOfText(token) });
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
      const devices = await this.sessions.deleteOthers(userId, hashOfText(token), id);
      if (devices.length === 0) return 0;
      await notifyEndedSessions(em, userId);
      const [device = null] = devices;
      const subject = devices.length === 1 && device !== null ? device : `${devices.length}`;
      await this.audit.record({ userId, kind: 'sessions_ended', subject });
      return devices.length;
    });
  }

  async #prolong(token: string, createdAt: Date, now: Date): Promise<void> {
    const used = {
      lastSeenAt: now,
      clientAddress: currentOrigin().clientAddress,
      expiresAt: new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + MAX_SESSION_MS)),
    };
    await this.sessions.nativeUpdate({ tokenHash: hashOfText(token) }, used);
  }
}

/** The PostgreSQL channel for ended sessions. The payload is the user's id. */
export const SESSIONS_CHANNEL = 'tidemark_sessions';

/** Notifies all instances that sessions of a person have ended, once the transaction of `em` commits. */
export async function notifyEndedSessions(em: EntityManager, userId: string): Promise<void> {
  await notify(em, SESSIONS_CHANNEL, userId);
}
