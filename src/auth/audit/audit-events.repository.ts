import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { expressionBuilder } from 'kysely';
import { atOneMoment } from '../../database/one-moment.js';
import { PlainPool } from '../../database/plain-pool.js';
import { offsetOf } from '../../http/pagination/page.js';
import { DAY_MS } from '../../platform/time/calendar-date.js';
import type { ApiKey } from '../api-key.entity.js';
import type { User } from '../user.entity.js';
import { type AuditEventKind, type AuditEventsTables, FAILED_ATTEMPTS } from './audit-event.js';
import type { AuditEventRow } from './audit-event.response.js';
import type { ListAuditEventsQuery } from './list-audit-events.query.js';

type Tables = AuditEventsTables & InferClassEntityDB<typeof ApiKey | typeof User>;

/** Per person, so that guessing passwords does not fill the table. The log has all attempts. */
const MAX_FAILED_ATTEMPTS_PER_DAY = 100;

interface AuditEventDraft {
  userId: string;
  kind: AuditEventKind;
  subjectId: string | null;
  subject: string | null;
  clientAddress: string | null;
  device: string | null;
  apiKeyId: string | null;
  occurredAt: Date;
}

/** A person's audit events, which are added and read. */
@Injectable()
export class AuditEventsRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: PlainPool,
  ) {}

  /** Only of a person who exists. */
  async add({ userId, kind, occurredAt, ...draft }: AuditEventDraft): Promise<void> {
    const kysely = this.em.getKysely<Tables>();
    const event = kysely
      .selectNoFrom((eb) => [
        eb.cast<string>(eb.val(userId), 'uuid').as('user_id'),
        eb.val(occurredAt).as('occurred_at'),
        eb.val(kind).as('kind'),
        eb.val(draft.subjectId).as('subject_id'),
        eb.val(draft.subject).as('subject'),
        eb.val(draft.clientAddress).as('client_address'),
        eb.val(draft.device).as('device'),
        eb
          .selectFrom('api_keys')
          .select('hint')
          .where('user_id', '=', userId)
          .where('id', '=', draft.apiKeyId!)
          .as('hint'),
      ])
      .where((eb) => eb.exists(eb.selectFrom('users').select('id').where('id', '=', userId)))
      .$if(FAILED_ATTEMPTS.includes(kind), (event) => event.where(hasRoomForFailedAttempt(userId, occurredAt)));
    await kysely
      .insertInto('audit_events')
      .columns(['user_id', 'occurred_at', 'kind', 'subject_id', 'subject', 'client_address', 'device', 'api_key_hint'])
      .expression(event)
      .execute();
  }

  /** Newest first. */
  listPage(userId: string, query: ListAuditEventsQuery): Promise<{ rows: AuditEventRow[]; totalCount: number }> {
    return atOneMoment(this.em, async () => {
      const { total } = await this.#matching(userId, query)
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await this.#rows(userId, query).limit(query.per_page).offset(offsetOf(query)).execute();
      return { rows, totalCount: Number(total) };
    });
  }

  /** All events of a filter in batches, in the order of the pages. */
  readAll(userId: string, query: ListAuditEventsQuery): AsyncGenerator<AuditEventRow[], void> {
    const { sql: text, parameters } = this.#rows(userId, query).compile();
    return this.pool.readAll<AuditEventRow>({ text, values: parameters });
  }

  #rows(userId: string, query: ListAuditEventsQuery) {
    return this.#matching(userId, query)
      .select(['id', 'kind', 'subject_id', 'subject', 'client_address', 'device', 'api_key_hint'])
      .select((eb) => eb.fn<number>('date_part', [eb.val('epoch'), 'occurred_at']).as('occurred_at'))
      .orderBy('audit_events.occurred_at', 'desc')
      .orderBy('number', 'desc');
  }

  #matching(userId: string, { kind, start_time: from, end_time: to }: ListAuditEventsQuery) {
    return this.em
      .getKysely<AuditEventsTables>()
      .selectFrom('audit_events')
      .where('user_id', '=', userId)
      .$if(kind !== undefined, (events) => events.where('kind', '=', kind!))
      .$if(from !== undefined, (events) => events.where('occurred_at', '>=', new Date(from!)))
      .$if(to !== undefined, (events) => events.where('occurred_at', '<', new Date(to!)));
  }
}

function hasRoomForFailedAttempt(userId: string, now: Date) {
  const eb = expressionBuilder<Tables>();
  const recent = eb
    .selectFrom('audit_events')
    .select('number')
    .where('user_id', '=', userId)
    .where('occurred_at', '>', new Date(now.getTime() - DAY_MS))
    .where('kind', 'in', FAILED_ATTEMPTS)
    .limit(MAX_FAILED_ATTEMPTS_PER_DAY);
  const count = eb.selectFrom(recent.as('recent')).select(({ fn }) => fn.countAll<number>().as('count'));
  return eb(count, '<', MAX_FAILED_ATTEMPTS_PER_DAY);
}
