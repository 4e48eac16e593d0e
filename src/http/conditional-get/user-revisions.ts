import { Injectable } from '@nestjs/common';
import { Revisions } from './revisions.js';
import { type PreparedStatement, PlainPool } from '../../database/plain-pool.js';

/** SQL: the revision of the person $1, as a column of a list; 0 if no change of theirs is logged yet. */
export const REVISION_SQL =
  'coalesce((select records_revision from user_revisions where user_id = $1), 0)::text as revision';

/** A revision of a person that one statement reads. Raw, because prepared statements are text. */
@Injectable()
abstract class UserRevisions extends Revisions {
  protected abstract readonly statement: PreparedStatement;

  constructor(private readonly pool: PlainPool) {
    super();
  }

  async readRevision(userId: string): Promise<string> {
    const [row] = await this.pool.query<{ revision: string }>(this.statement, [userId]);
    return row!.revision;
  }
}

/** The newest revision of a person's accounts, transactions, holdings and balances. */
@Injectable()
export class AccountRevisions extends UserRevisions {
  protected readonly statement = { name: 'user-revision', text: `select ${REVISION_SQL}` };
}

/**
 * The newest revision of anything of a person: which accounts may be duplicates, of which one counts, depends on
 * connections and on the person's answers to suggestions, too.
 */
@Injectable()
export class NetWorthRevisions extends UserRevisions {
  protected readonly statement = {
    name: 'net-worth-revision',
    text: `select coalesce((select revision from user_revisions where user_id = $1), 0)::text as revision`,
  };
}
