import { Injectable } from '@nestjs/common';
import { Revisions } from '../../http/conditional-get/revisions.js';
import { PreparedStatements } from '../../database/prepared.js';

// Which accounts may be duplicates depends on the active connections and on the person's answers to suggestions.
const REVISIONS = {
  name: 'net-worth-revisions',
  text: `
    select concat_ws(' ',
      (select revision from user_revisions where user_id = $1),
      (select string_agg(id || ' ' || status, ',' order by id) from connections where user_id = $1),
      (select count(*) from accounts_kept_apart where user_id = $1)) as revisions`,
};

/** Changes with everything that a person's net worth depends on. */
@Injectable()
export class NetWorthRevisions extends Revisions {
  constructor(private readonly prepared: PreparedStatements) {
    super();
  }

  async of(userId: string): Promise<string> {
    const [row] = await this.prepared.query<{ revisions: string }>(REVISIONS, [userId]);
    return row!.revisions;
  }
}
