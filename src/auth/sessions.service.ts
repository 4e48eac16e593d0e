import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../time/clock.js';
import { AuditTrail } from './audit/audit-trail.service.js';
import { hashOfText, randomText } from './one-time-text.js';

const DAY_MS = 86_400_000;
/** A session ends when it was not used for so long. */
export const SESSION_MS = 30 * DAY_MS;
/** How old `last_seen_at` may be before it is written again. */
const LAST_SEEN_COARSE_MS = 3_600_000;

/** Where PostgreSQL notifies every instance of ended sessions. The message is the user's id. */
export const SESSIONS_CHANNEL = 'tidemark_sessions';

/** Who is looking at the pages. */
export interface Session {
  token: string;
  userId: string;
  email: string;
  /** IANA name; decides which day it is for this person. */
  timeZone: string;
}

interface SessionRow {
  user_id: string;
  email: string;
  time_zone: string;
  last_seen_at: Date;
}

/** What identifies a session without its token. */
export function sessionIdOf({ token }: Session): string {
  return hashOfText(token).toString('hex');
}

/** Sessions of the pages, in the database: any instance knows them, and ending one ends it everywhere. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  /** @returns the token for the cookie, which is kept nowhere */
  async begin(userId: string): Promise<string> {
    const token = randomText();
    const now = this.clock.now();
    await this.em.transactional(async (em) => {
      await sql`delete from sessions where user_id = ${userId} and expires_at <= ${now}`.execute(em.getKysely());
      await sql`
        insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
        values (${userId}, ${hashOfText(token)}, ${now}, ${now}, ${new Date(now.getTime() + SESSION_MS)})
      `.execute(em.getKysely());
      await this.audit.record({ userId, kind: 'signed_in' }, em);
    });
    return token;
  }

  /** `null` for unknown and expired alike. */
  async find(token: string): Promise<Session | null> {
    const now = this.clock.now();
    const { rows } = await sql<SessionRow>`
      select s.user_id, u.email, u.time_zone, s.last_seen_at
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = ${hashOfText(token)} and s.expires_at > ${now}
    `.execute(this.em.getKysely());
    const row = rows[0];
    if (!row) return null;
    if (now.getTime() - new Date(row.last_seen_at).getTime() >= LAST_SEEN_COARSE_MS) await this.#prolong(token, now);
    return { token, userId: row.user_id, email: row.email, timeZone: row.time_zone };
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

  /** @returns how many there were */
  async endOthers({ userId, token }: Session): Promise<number> {
    return this.em.transactional(async (em) => {
      const { rows } = await sql<{ count: number }>`
        with ended as (
          delete from sessions where user_id = ${userId} and token_hash <> ${hashOfText(token)} returning 1
        )
        select count(*)::integer as count, pg_notify(${SESSIONS_CHANNEL}, ${userId}) from ended
      `.execute(em.getKysely());
      const { count } = rows[0]!;
      if (count > 0) await this.audit.record({ userId, kind: 'sessions_ended', subject: String(count) }, em);
      return count;
    });
  }

  async #prolong(token: string, now: Date): Promise<void> {
    await sql`
      update sessions set last_seen_at = ${now}, expires_at = ${new Date(now.getTime() + SESSION_MS)}
      where token_hash = ${hashOfText(token)}
    `.execute(this.em.getKysely());
  }
}
