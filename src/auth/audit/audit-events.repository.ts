import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { readByCursor } from '../../database/cursor.js';
import type { AuditEventRow } from './audit-event.response.js';
import type { ListAuditEventsQuery } from './list-audit-events.query.js';

/** Reads what the audit trail has of a person, newest first. Raw, because the table has no entity: nothing updates it. */
@Injectable()
export class AuditEventsRepository {
  constructor(private readonly em: EntityManager) {}

  async listPage(userId: string, query: ListAuditEventsQuery): Promise<{ rows: AuditEventRow[]; totalCount: number }> {
    const kysely = this.em.getKysely();
    const { rows: counted } = await sql<{ total: number }>`
      select count(*)::float8 as total from audit_events where ${conditions(userId, query)}
    `.execute(kysely);
    const { rows } = await sql<AuditEventRow>`
      ${matchingEvents(userId, query)} limit ${query.per_page} offset ${(query.page - 1) * query.per_page}
    `.execute(kysely);
    return { rows, totalCount: counted[0]!.total };
  }

  /** All events of a filter in batches, in the order of the pages. */
  readAll(userId: string, query: ListAuditEventsQuery): AsyncGenerator<AuditEventRow[], void> {
    const { sql: text, parameters } = matchingEvents(userId, query).compile(this.em.getKysely());
    return readByCursor<AuditEventRow>(this.em, { text, values: parameters });
  }
}

function matchingEvents(userId: string, query: ListAuditEventsQuery): RawBuilder<AuditEventRow> {
  return sql`
    select id, date_part('epoch', occurred_at) as occurred_at, kind, subject_id, subject, client_address, device, api_key_hint
    from audit_events where ${conditions(userId, query)}
    order by occurred_at desc, number desc`;
}

function conditions(userId: string, { kind, start_time, end_time }: ListAuditEventsQuery): RawBuilder<unknown> {
  const all = [sql`user_id = ${userId}`];
  if (kind) all.push(sql`kind = ${kind}`);
  if (start_time) all.push(sql`occurred_at >= ${new Date(start_time)}`);
  if (end_time) all.push(sql`occurred_at < ${new Date(end_time)}`);
  return sql.join(all, sql` and `);
}
