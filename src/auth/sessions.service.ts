import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../time/clock.js';
import { AuditTrail } from './audit/audit-trail.service.js';
import { currentOrigin } from './audit/current-origin.js';
import { hashOfText, randomText } from './one-time-text.js';
import type { NumberFormat, Preferences, Theme } from './preferences.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
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

/** The PostgreSQL channel for ended sessions. The payload is the user's id. */
export const SESSIONS_CHANNEL = 'tidemark_sessions';

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

interface SessionRow {
  user_id: string;
  email: string;
  time_zone: string;
  theme: Theme;
  number_format: NumberFormat;
  last_seen_at: Date;
  password_given_at: Date | null;
}

interface ListedRow {
  id: string;
  device: string | null;
  client_address: string | null;
  created_at: Date;
  last_seen_at: Date;
  is_current: boolean;
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
    private readonly audit: AuditTrail,
  ) {}

  /** For a person whose password was just verified. @returns the token for the cookie, which is not stored */
  async begin(userId: string): Promise<string> {
    const token = randomText();
    const now = this.clock.now();
    const { clientAddress, device } = currentOrigin();
    await this.em.transactional(async (em) => {
      await this.#makeRoom(em, userId, now);
      await sql`
        insert into sessions (
          user_id, token_hash, created_at, last_seen_at, expires_at, client_address, device, password_given_at
        )
        values (
          ${userId}, ${hashOfText(token)}, ${now}, ${now}, ${new Date(now.getTime() + IDLE_MS)},
          ${clientAddress}, ${device}, ${now}
        )
      `.execute(em.getKysely());
      await this.audit.record({ userId, kind: 'signed_in' }, em);
    });
    return token;
  }

  async #makeRoom(em: EntityManager, userId: string, now: Date): Promise<void> {
    await sql`
      with ended as (
        delete from sessions where user_id = ${userId} and (expires_at <= ${now} or token_hash in (
          select token_hash from sessions where user_id = ${userId} and expires_at > ${now}
          order by last_seen_at desc, created_at desc offset ${MAX_SESSIONS - 1}
        ))
        returning 1
      )
      select pg_notify(${SESSIONS_CHANNEL}, ${userId}) from ended limit 1
    `.execute(em.getKysely());
  }

  /** `null` for unknown and expired alike. */
  async find(token: string): Promise<Session | null> {
    const now = this.clock.now();
    const { rows } = await sql<SessionRow>`
      select s.user_id, u.email, u.time_zone, u.theme, u.number_format, s.last_seen_at, s.password_given_at
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = ${hashOfText(token)} and s.expires_at > ${now}
        and s.created_at > ${new Date(now.getTime() - MAX_SESSION_MS)}
    `.execute(this.em.getKysely());
    const row = rows[0];
    if (!row) return null;
    if (now.getTime() - new Date(row.last_seen_at).getTime() >= LAST_SEEN_COARSE_MS) await this.#prolong(token, now);
    const { user_id: userId, email, time_zone: timeZone, password_given_at: givenAt } = row;
    const freshSince = now.getTime() - FRESH_PASSWORD_MINUTES * MINUTE_MS;
    const isPasswordFresh = givenAt !== null && new Date(givenAt).getTime() > freshSince;
    const preferences = { theme: row.theme, numberFormat: row.number_format };
    return { token, userId, email, timeZone, preferences, isPasswordFresh };
  }

  /** The open sessions, most recently used first. */
  async list({ userId, token }: Session): Promise<ListedSession[]> {
    const { rows } = await sql<ListedRow>`
      select id, device, client_address, created_at, last_seen_at, token_hash = ${hashOfText(token)} as is_current
      from sessions where user_id = ${userId} and expires_at > ${this.clock.now()}
      order by is_current desc, last_seen_at desc, created_at desc, id
    `.execute(this.em.getKysely());
    return rows.map((row) => ({
      id: row.id,
      device: row.device,
      clientAddress: row.client_address,
      createdAt: new Date(row.created_at),
      lastSeenAt: new Date(row.last_seen_at),
      isCurrent: row.is_current,
    }));
  }

  /** Records that the password was just given. */
  async markPasswordGiven({ userId, token }: Session): Promise<void> {
    await sql`
      update sessions set password_given_at = ${this.clock.now()}
      where user_id = ${userId} and token_hash = ${hashOfText(token)}
    `.execute(this.em.getKysely());
  }

  /** Signs out. */
  async end({ userId, token }: Session): Promise<void> {
    await this.em.transactional(async (em) => {
      await sql`
        with ended as (delete from sessions where user_id = ${userId} and token_hash = ${hashOfText(token)})
        select pg_notify(${SESSIONS_CHANNEL}, ${userId})
      `.execute(em.getKysely());
      await this.audit.record({ userId, kind: 'signed_out' }, em);
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
      const { rows } = await sql<{ device: string | null }>`
        delete from sessions
        where user_id = ${userId} and token_hash <> ${hashOfText(token)} and ${id ? sql`id = ${id}` : sql`true`}
        returning device
      `.execute(em.getKysely());
      if (rows.length === 0) return 0;
      await sql`select pg_notify(${SESSIONS_CHANNEL}, ${userId})`.execute(em.getKysely());
      const [{ device } = { device: null }] = rows;
      const subject = rows.length === 1 && device !== null ? device : `${rows.length}`;
      await this.audit.record({ userId, kind: 'sessions_ended', subject }, em);
      return rows.length;
    });
  }

  async #prolong(token: string, now: Date): Promise<void> {
    await sql`
      update sessions set last_seen_at = ${now}, client_address = ${currentOrigin().clientAddress},
        expires_at = least(${new Date(now.getTime() + IDLE_MS)}, created_at + ${MAX_SESSION_MS / 1000} * interval '1 second')
      where token_hash = ${hashOfText(token)}
    `.execute(this.em.getKysely());
  }
}
