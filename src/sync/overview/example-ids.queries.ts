import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';

/** What the documentation can fill in for a person: an id of each kind, by the part of the path in front of it. */
export type ExampleIds = Record<string, string>;

interface ExampleRow {
  accounts: string | null;
  connections: string | null;
  syncs: string | null;
  transactions: string | null;
}

@Injectable()
export class ExampleIdsQueries {
  constructor(private readonly em: EntityManager) {}

  /** Of a person's own records; what they do not have is left out. */
  async find(userId: string): Promise<ExampleIds> {
    const { rows } = await sql<ExampleRow>`
      select
        (select id from accounts where user_id = ${userId} and closed_on is null order by name, id limit 1) as accounts,
        (select id from connections where user_id = ${userId} order by created_at, id limit 1) as connections,
        (select id from sync_runs where user_id = ${userId} order by queued_at desc, id limit 1) as syncs,
        (select id from transactions where user_id = ${userId} order by date desc, id limit 1) as transactions
    `.execute(this.em.getKysely());
    const found = Object.entries(rows[0] ?? {}) as [string, string | null][];
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}
