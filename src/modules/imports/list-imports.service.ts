import { Injectable } from '@nestjs/common';
import {
  atOneMoment,
  EntityManager,
  ImportedListsService,
  isUuid,
  offsetOf,
  type PageQuery,
  reader,
  recordNotFound,
  type RowCounts,
} from '../../kit.js';
import { Import, ImportPart, type ImportPreview, type PartCounts, type Target } from './import.entities.js';

const NEWEST_FIRST = { createdAt: 'desc', id: 'asc' } as const;

/** An import, and what of it is in which account, or would be. */
export type ImportRow = Import & { accounts: ImportAccount[] };

export interface ImportAccount extends Target {
  /** Of its list; `null`: it is not accepted. */
  id: string | null;
  first_date: string | null;
  last_date: string | null;
  counts: PartCounts;
  /** Of a preview. */
  currency: string | null;
  balances: { stated: number; agreeing: number | null; differing: number | null; differences: Difference[] };
  /** Of a preview: its first rows. */
  sample: ImportPreview['parts'][number]['sample'];
  superseded: ImportPreview['parts'][number]['superseded'];
}

type Difference = ImportPreview['parts'][number]['balances']['differences'][number];

export interface GoneCounts {
  rows: number;
  balances: number;
  /** Of its transactions, by the person. */
  corrections: number;
}

/** Who reads: a key that is limited to accounts sees what went into these only. */
interface ImportReader {
  userId: string;
  accountIds?: readonly string[] | null;
}

/** Imports as lists show them. */
@Injectable()
export class ListImportsService {
  constructor(
    private readonly em: EntityManager,
    private readonly lists: ImportedListsService,
  ) {}

  /** Newest first. */
  async list(
    { userId, accountIds = null }: ImportReader,
    { account_id: into, ...page }: PageQuery & { account_id?: readonly string[] },
  ): Promise<{ rows: ImportRow[]; totalCount: number }> {
    return atOneMoment(this.em, async (em) => {
      const some = into && { id: { $in: await importedInto(em, userId, into, accountIds) } };
      const part = { orderBy: NEWEST_FIRST, limit: page.per_page, offset: offsetOf(page) };
      const [imports, totalCount] = await em.findAndCount(Import, { userId, ...some }, part);
      return { rows: await this.#withAccounts(em, userId, imports), totalCount };
    });
  }

  /** Those that there are, and that the caller may see. */
  async find({ userId, accountIds = null }: ImportReader, ids: readonly string[]): Promise<ImportRow[]> {
    const em = reader(this.em);
    const seen = accountIds && (await importedInto(em, userId, accountIds, accountIds));
    const wanted = ids.filter((id) => seen?.includes(id) ?? true);
    return this.#withAccounts(em, userId, await em.find(Import, { userId, id: { $in: wanted } }));
  }

  /** @throws DomainError `record_not_found` */
  async get(userId: string, id: string): Promise<ImportRow> {
    const [found] = isUuid(id) ? await this.find({ userId }, [id]) : [];
    if (!found) throw recordNotFound('import');
    return found;
  }

  /** What undoing it takes out of the accounts: what others have, too, stays. */
  async countGone({ userId, accounts }: ImportRow): Promise<GoneCounts> {
    const ids = accounts.flatMap(({ id }) => id ?? []);
    return {
      rows: accounts.reduce((sum, { counts }) => sum + counts.added, 0),
      balances: await this.lists.countOnlyBalances(userId, ids),
      corrections: await this.lists.countCorrections(userId, ids),
    };
  }

  async #withAccounts(em: EntityManager, userId: string, imports: readonly Import[]): Promise<ImportRow[]> {
    const importId = { $in: imports.map(({ id }) => id) };
    const parts = await em.find(ImportPart, { userId, importId }, { orderBy: { fileAccount: 'asc' } });
    const counts = await this.lists.countRows(
      userId,
      parts.map(({ id }) => id),
    );
    const ofImport = Map.groupBy(parts, (part) => part.importId);
    return imports.map((one) => {
      const { preview } = one;
      const accounts = preview
        ? preview.parts.map((part) => ({ ...part, id: null }))
        : (ofImport.get(one.id) ?? []).map((part) => ofPart(part, counts.get(part.id)!));
      return Object.assign(one, { accounts });
    });
  }
}

function ofPart(part: ImportPart, counts: RowCounts): ImportAccount {
  const { id, accountId, fileAccount, firstDate, lastDate, balances } = part;
  const found = counts.added + counts.replacing + counts.paired + counts.left_out;
  return {
    id,
    account_id: accountId,
    file_account: fileAccount,
    first_date: firstDate,
    last_date: lastDate,
    currency: null,
    counts: { ...counts, found, doubtful: null, pending: null, superseded: null },
    balances: { stated: balances, agreeing: null, differing: null, differences: [] },
    sample: [],
    superseded: [],
  };
}

/** The accepted imports of which something is in these accounts, and nothing in any that the caller may not see. */
async function importedInto(
  em: EntityManager,
  userId: string,
  into: readonly string[],
  seen: readonly string[] | null,
): Promise<string[]> {
  const inside = await em.find(ImportPart, { userId, accountId: { $in: [...into] } });
  const ids = new Set(inside.map(({ importId }) => importId));
  if (seen === null) return [...ids];
  const outside = await em.find(ImportPart, { userId, importId: { $in: [...ids] }, accountId: { $nin: [...seen] } });
  for (const { importId } of outside) ids.delete(importId);
  return [...ids];
}
