import { Injectable } from '@nestjs/common';
import { ImportedListsService, offsetOf, type OwnRow, type PageQuery, type Standing } from '../../kit.js';
import { ImportsService } from './imports.service.js';
import { ListImportsService } from './list-imports.service.js';
import { type ImportCaller, ReadFileService } from './read-file.service.js';

/** A transaction of a file, and whether it counts or would. */
export interface ImportedRow {
  account_id: string;
  line: number | null;
  date: string;
  amount_minor: number;
  currency: string;
  description: string;
  merchant: string | null;
  standing: Standing;
  transaction_id: string | null;
  doubtful: boolean | null;
}

type RowsPage = PageQuery & { standing?: Standing };

/** The transactions of files. */
@Injectable()
export class ImportRowsService {
  constructor(
    private readonly imports: ImportsService,
    private readonly list: ListImportsService,
    private readonly reading: ReadFileService,
    private readonly lists: ImportedListsService,
  ) {}

  /** @throws DomainError `record_not_found` */
  async listPage(
    caller: ImportCaller,
    id: string,
    page: RowsPage,
  ): Promise<{ rows: ImportedRow[]; totalCount: number }> {
    const { userId } = caller;
    const { status, accounts } = await this.list.get(userId, id);
    if (status === 'preview') return this.#ofPreview(caller, id, page);
    const ids = accounts.flatMap((account) => account.id ?? []);
    const { rows, totalCount } = await this.lists.listRows(userId, ids, page);
    return { rows: rows.map(ofList), totalCount };
  }

  async #ofPreview(caller: ImportCaller, id: string, page: RowsPage) {
    const { parts } = await this.reading.place(caller, await this.imports.preview(caller.userId, id));
    const all = parts.flatMap(({ part, placed }) => placed.rows.map((place, index) => ({ part, place, index })));
    const wanted = all.filter(({ place }) => page.standing === undefined || place.standing === page.standing);
    const shown = wanted.slice(offsetOf(page), offsetOf(page) + page.per_page);
    const rows = shown.map(({ part: { rows: fileRows, list, account }, place, index }): ImportedRow => {
      const { date, amountMinor, description, merchant } = list.rows[index]!;
      return {
        account_id: account.id,
        line: fileRows[index]!.line,
        date,
        amount_minor: amountMinor,
        currency: list.currency,
        description,
        merchant,
        standing: place.standing,
        transaction_id: place.pairedWith,
        doubtful: place.isDoubtful,
      };
    });
    return { rows, totalCount: wanted.length };
  }
}

function ofList(row: OwnRow): ImportedRow {
  const { id, accountId, date, amountMinor, currency, description, merchant, standing, pairedWith } = row;
  return {
    account_id: accountId,
    line: null,
    date,
    amount_minor: amountMinor,
    currency,
    description,
    merchant,
    standing,
    transaction_id: pairedWith ?? id,
    doubtful: null,
  };
}
