import { Injectable } from '@nestjs/common';
import { PreparedStatements } from '../database/prepared.js';

const REVISION = {
  name: 'user-revision',
  text: `select coalesce((select revision from user_revisions where user_id = $1), 0)::text as revision`,
};

/** The number that moves with everything of a person's accounts, transactions, holdings and balances. */
@Injectable()
export class Revisions {
  constructor(private readonly prepared: PreparedStatements) {}

  async of(userId: string): Promise<string> {
    const [row] = await this.prepared.query<{ revision: string }>(REVISION, [userId]);
    return row!.revision;
  }
}
