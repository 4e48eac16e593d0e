import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { atOneMoment } from '../../database/one-moment.js';
import { PlainPool } from '../../database/plain-pool.js';
import { offsetOf } from '../../http/pagination/page.js';
import type { AuditEventsTables } from './audit-event.js';
import type { AuditEventRow } from './audit-event.response.js';
import type { ListAuditEventsQuery } from './list-audit-events.query.js';

/** Reads a person's audit events, newest first. */
@Injectable()
export class AuditEventsRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: PlainPool,
  ) {}

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
