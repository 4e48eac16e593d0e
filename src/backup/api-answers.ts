import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import { toAccountResponse } from '../accounts/account.response.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { Revisions } from '../http/conditional-get/revisions.js';
import { BalancesRepository } from '../balances/record/balances.repository.js';
import { toBalanceResponse } from '../balances/record/balance.response.js';
import { BackupRefusedError } from './backup-format.js';

const PER_PAGE = 100;

/** A person's lists on the API, summarised. */
interface ApiAnswers {
  accounts: number;
  balances: number;
  /** SHA-256 of all their pages as JSON. */
  digest: string;
  /** The revision of the data; `null`: it changed while the lists were read. */
  revision: string | null;
}

/** How the answers of a restored database compare. */
export interface ComparedAnswers {
  people: number;
  /** People whose answers equal those of the database in use, byte for byte. The data of the others has changed since. */
  same_as_now: number;
}

/**
 * Reads everybody's lists of accounts and balances from a restored database. Compares them with its rows and, if the
 * person's data has not changed since, with the answers of the database in use.
 *
 * @param inUse `null`: there is none to compare with
 * @param signal ends it between two people
 * @throws BackupRefusedError when an answer differs
 */
export async function compareAnswers(
  restored: INestApplicationContext,
  inUse: INestApplicationContext | null,
  signal: AbortSignal,
): Promise<ComparedAnswers> {
  const result: ComparedAnswers = { people: 0, same_as_now: 0 };
  for (const person of await countRows(restored)) {
    signal.throwIfAborted();
    const answers = await readAnswers(restored, person.user_id);
    if (answers.accounts !== person.accounts || answers.balances !== person.balances) {
      throw new BackupRefusedError(
        `The API does not list the accounts and balances of ${person.user_id} that were restored.`,
      );
    }
    result.people++;
    if (!inUse || (await inUse.get(Revisions).readRevision(person.user_id)) !== person.revision) continue;
    const now = await readAnswers(inUse, person.user_id);
    if (now.revision !== person.revision) continue;
    if (now.digest !== answers.digest) {
      throw new BackupRefusedError(`The API answers ${person.user_id} differently after the restore.`);
    }
    result.same_as_now++;
  }
  return result;
}

interface UserCounts {
  user_id: string;
  accounts: number;
  balances: number;
  revision: string;
}

async function countRows(app: INestApplicationContext): Promise<UserCounts[]> {
  return app.get(EntityManager).getConnection().execute<UserCounts[]>(`
    select id as user_id,
      (select count(*)::integer from accounts where user_id = users.id) as accounts,
      (select count(*)::integer from balances where user_id = users.id) as balances,
      coalesce((select records_revision from user_revisions r where r.user_id = users.id), 0)::text as revision
    from users order by id`);
}

async function readAnswers(app: INestApplicationContext, userId: string): Promise<ApiAnswers> {
  const hash = createHash('sha256');
  const before = await app.get(Revisions).readRevision(userId);
  const accounts = await walk(hash, async (page) => {
    const { rows, totalCount } = await app.get(AccountsRepository).listPage(userId, page);
    return { records: rows.map(toAccountResponse), totalCount };
  });
  const balances = await walk(hash, async (page) => {
    const { rows, totalCount } = await app.get(BalancesRepository).listPage(userId, page);
    return { records: rows.map(toBalanceResponse), totalCount };
  });
  const after = await app.get(Revisions).readRevision(userId);
  return { accounts, balances, digest: hash.digest('hex'), revision: before === after ? after : null };
}

async function walk(
  hash: ReturnType<typeof createHash>,
  readPage: (page: { page: number; per_page: number }) => Promise<{ records: object[]; totalCount: number }>,
): Promise<number> {
  let count = 0;
  for (let page = 1; ; page++) {
    const { records, totalCount } = await readPage({ page, per_page: PER_PAGE });
    for (const record of records) hash.update(JSON.stringify(record));
    count += records.length;
    if (records.length < PER_PAGE || count >= totalCount) return count;
  }
}
