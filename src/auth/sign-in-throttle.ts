import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../time/clock.js';

const WINDOW_MS = 15 * 60_000;
/** Of one e-mail address: enough for a person who tries all their passwords. */
const MAX_OF_EMAIL = 10;
/** Of one network address, behind which a whole household or a proxy may stand. */
const MAX_OF_ADDRESS = 100;

/** Failed sign-ins are counted in the database, so that neither a restart nor another instance forgets them. */
@Injectable()
export class SignInThrottle {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @returns for how many seconds no password is looked at; 0: now */
  async waitSeconds(email: string, address: string): Promise<number> {
    const now = this.clock.now().getTime();
    const since = new Date(now - WINDOW_MS);
    const { rows } = await sql<{ failed_at: Date }>`
      (select failed_at from sign_in_failures where email = ${email} and failed_at > ${since}
        order by failed_at desc offset ${MAX_OF_EMAIL - 1} limit 1)
      union all
      (select failed_at from sign_in_failures where address = ${address} and failed_at > ${since}
        order by failed_at desc offset ${MAX_OF_ADDRESS - 1} limit 1)
    `.execute(this.em.getKysely());
    const ends = rows.map(({ failed_at }) => new Date(failed_at).getTime() + WINDOW_MS);
    return Math.max(0, ...ends.map((end) => Math.ceil((end - now) / 1000)));
  }

  async failed(email: string, address: string): Promise<void> {
    const now = this.clock.now();
    const old = new Date(now.getTime() - WINDOW_MS);
    await sql`delete from sign_in_failures where failed_at <= ${old}`.execute(this.em.getKysely());
    await sql`insert into sign_in_failures (email, address, failed_at) values (${email}, ${address}, ${now})`.execute(
      this.em.getKysely(),
    );
  }

  async succeeded(email: string): Promise<void> {
    await sql`delete from sign_in_failures where email = ${email}`.execute(this.em.getKysely());
  }
}
