import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { queryPrepared } from '../database/prepared.js';

const REVISION = {
  name: 'user-revision',
  text: `select coalesce((select revision from user_revisions where user_id = $1), 0)::text as revision`,
};

/** The number that moves with everything of a person's accounts, transactions, holdings and balances. */
@Injectable()
export class Revisions {
  constructor(private readonly em: EntityManager) {}

  async of(userId: string): Promise<string> {
    const [row] = await queryPrepared<{ revision: string }>(this.em, REVISION, [userId]);
    return row!.revision;
  }
}
