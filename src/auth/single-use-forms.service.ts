import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Secret } from '../config/secret.js';
import { reader } from '../database/reader.js';
import { Clock } from '../time/clock.js';
import { CredentialVault } from '../vault/credential-vault.js';
import { UsedForm } from './used-form.entity.js';
import { lockUser } from './users.service.js';

type Tables = InferClassEntityDB<typeof UsedForm>;

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
      // As their deletion does, before anything that `work` locks.
      await lockUser(em, userId);
      await em.nativeDelete(UsedForm, { userId, expiresAt: { $lte: now } });
      const claimed = await em
        .getKysely<Tables>()
        .insertInto('used_forms')
        .values({
          user_id: userId,
          form_id: bytesOf(formId),
          result: null,
          expires_at: new Date(now.getTime() + KEPT_MS),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('form_id')
        .executeTakeFirst();
      if (!claimed) return;
      const result = new Secret(JSON.stringify(await work()));
      const sealed = this.vault.seal(result, ownerOf({ userId, formId }));
      await em.nativeUpdate(UsedForm, { userId, formId: bytesOf(formId) }, { result: sealed });
    });
  }

  /** Whether the same form was sent before and executed. */
  async wasSent({ userId, formId }: FormKey): Promise<boolean> {
    return (await reader(this.em).count(UsedForm, { userId, formId: bytesOf(formId) })) > 0;
  }

  /** The result of a form; `null`: it was shown already, or there is no such form. */
  async takeResult<Result extends object>({ userId, formId }: FormKey): Promise<Result | null> {
    const found = await this.em
      .getKysely<Tables>()
      .with('taken', (having) =>
        having
          .selectFrom('used_forms')
          .select(['user_id', 'form_id', 'result'])
          .where('user_id', '=', userId)
          .where('form_id', '=', bytesOf(formId))
          .where('result', 'is not', null)
          .where('expires_at', '>', this.clock.now())
          .forUpdate(),
      )
      .updateTable('used_forms as form')
      .from('taken')
      .set({ result: null })
      .whereRef('form.user_id', '=', 'taken.user_id')
      .whereRef('form.form_id', '=', 'taken.form_id')
      .returning('taken.result as sealed')
      .executeTakeFirst();
    const sealed = found?.sealed ?? null;
    if (sealed === null) return null;
    return JSON.parse(this.vault.open(sealed, ownerOf({ userId, formId })).reveal()) as Result;
  }
}

function bytesOf(formId: string): Buffer {
  return Buffer.from(formId, 'hex');
}

function ownerOf({ userId, formId }: FormKey): string {
  return `${userId}/form/${formId}`;
}
