import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Secret } from '../config/secret.js';
import { Clock } from '../time/clock.js';
import { CredentialVault } from '../vault/credential-vault.js';

/** How long a sent form is remembered, and its result can be shown. */
const KEPT_MS = 3_600_000;

/** A form on one page of one session, identified by its token. */
interface FormKey {
  userId: string;
  /** Hexadecimal. */
  formId: string;
}

/**
 * Executes a form once, however often it is sent: a double click and a reload send it again. The result is stored
 * sealed and shown once, on the page that the browser is redirected to.
 */
@Injectable()
export class SingleUseFormsService {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: CredentialVault,
    private readonly clock: Clock,
  ) {}

  /**
   * @param work runs in the transaction of the injected entity manager and returns the result to show once; not called
   * when the same form was or is being sent
   */
  async once({ userId, formId }: FormKey, work: () => Promise<object>): Promise<void> {
    const now = this.clock.now();
    await this.em.transactional(async (em) => {
      await sql`delete from used_forms where user_id = ${userId} and expires_at <= ${now}`.execute(em.getKysely());
      const { rows } = await sql`
        insert into used_forms (user_id, form_id, expires_at)
        values (${userId}, decode(${formId}, 'hex'), ${new Date(now.getTime() + KEPT_MS)})
        on conflict do nothing returning 1
      `.execute(em.getKysely());
      if (rows.length === 0) return;
      const result = new Secret(JSON.stringify(await work()));
      await sql`
        update used_forms set result = ${this.vault.seal(result, ownerOf({ userId, formId }))}
        where user_id = ${userId} and form_id = decode(${formId}, 'hex')
      `.execute(em.getKysely());
    });
  }

  /** The result of a form; `null`: it was shown already, or there is no such form. */
  async takeResult<Result extends object>({ userId, formId }: FormKey): Promise<Result | null> {
    const { rows } = await sql<{ result: string }>`
      with taken as (
        select user_id, form_id, result from used_forms
        where user_id = ${userId} and form_id = decode(${formId}, 'hex') and result is not null
          and expires_at > ${this.clock.now()}
        for update
      )
      update used_forms f set result = null from taken
      where f.user_id = taken.user_id and f.form_id = taken.form_id
      returning taken.result
    `.execute(this.em.getKysely());
    const sealed = rows[0]?.result;
    if (sealed === undefined) return null;
    return JSON.parse(this.vault.open(sealed, ownerOf({ userId, formId })).reveal()) as Result;
  }
}

function ownerOf({ userId, formId }: FormKey): string {
  return `${userId}/form/${formId}`;
}
