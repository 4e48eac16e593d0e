import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type AccountRow,
  AccountsRepository,
  type Caller,
  Clock,
  ConcurrencyLimiter,
  dateInTimeZone,
  DomainError,
  ImportedListsService,
  minorDigits,
  type PreviewedList,
  type SentFile,
  validationFailed,
} from '../../kit.js';
import { fingerprint, readFile } from './files/read-file.js';
import { type StatementFile, UnreadableFileError } from './files/statement-file.js';
import type { ImportChoices, ImportPreview } from './import.entities.js';
import { type ImportedPart, partOf, previewOf, previewPart, questionsOf, targetsOf } from './preview-import.js';

/** A large file takes a second, in which the instance does nothing else, and memory. */
const MAX_FILES_AT_ONCE = 2;

export type ImportCaller = Pick<Caller, 'userId' | 'timeZone'>;

type ChosenFile = SentFile & { choices: ImportChoices };

interface ReadFile {
  file: StatementFile;
  parts: ImportedPart[];
}

interface PlacedPart {
  part: ImportedPart;
  placed: PreviewedList;
}

/** Reads files for the accounts into which they go. */
@Injectable()
export class ReadFileService {
  readonly #limiter = new ConcurrencyLimiter('files', { perCaller: {}, perInstance: MAX_FILES_AT_ONCE });

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly lists: ImportedListsService,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `record_not_found`, `validation_failed`, `conflict`, `unavailable` */
  async read(caller: ImportCaller, sent: ChosenFile): Promise<ReadFile> {
    const release = this.#limiter.acquire({});
    try {
      return await this.#read(caller, sent);
    } finally {
      release();
    }
  }

  /** @throws DomainError `record_not_found`, `validation_failed`, `conflict`, `unavailable` */
  async preview(caller: ImportCaller, sent: ChosenFile): Promise<{ file: StatementFile; preview: ImportPreview }> {
    const { file, parts } = await this.place(caller, sent);
    const previewed = [];
    for (const { part, placed } of parts) {
      const compared = await this.lists.compareBalances(caller, part.account.id, part.list);
      previewed.push(previewPart(part, placed, compared));
    }
    return { file, preview: previewOf(file, sent.choices, previewed) };
  }

  /** What would become of each row; of none while something is asked, since the answer decides. */
  async place(caller: ImportCaller, sent: ChosenFile): Promise<{ file: StatementFile; parts: PlacedPart[] }> {
    const { file, parts } = await this.read(caller, sent);
    if (questionsOf(file, sent.choices).length > 0) return { file, parts: [] };
    const all: PlacedPart[] = [];
    for (const part of parts) {
      all.push({ part, placed: await this.lists.preview(caller.userId, part.account.id, part.list) });
    }
    return { file, parts: all };
  }

  /** By which what a person says of the file is remembered, as a digest; `null`: it is not. */
  headerOf({ timeZone }: ImportCaller, bytes: Buffer): string | null {
    try {
      const header = fingerprint(bytes, dateInTimeZone(this.clock.now(), timeZone));
      return header && hash('sha256', header, 'hex');
    } catch (error) {
      // Reading it says why.
      if (error instanceof UnreadableFileError) return null;
      throw error;
    }
  }

  async #read({ userId, timeZone }: ImportCaller, { name, bytes, choices }: ChosenFile): Promise<ReadFile> {
    const { account_id: sentWith, accounts, ...ofFile } = choices;
    const first = await this.accounts.get(userId, accounts?.[0]?.account_id ?? sentWith);
    const options = {
      choices: ofFile,
      currency: currencyOf(first),
      today: dateInTimeZone(this.clock.now(), timeZone),
      isCard: first.account_type === 'credit_card',
    };
    const file = await readFile(bytes, options).catch((error: unknown) => {
      if (!(error instanceof UnreadableFileError)) throw error;
      const line = error.line === null ? '' : `Line ${error.line}: `;
      throw validationFailed([`file cannot be read. ${line}${error.message}`]);
    });
    const parts: ImportedPart[] = [];
    for (const target of targetsOf(file, choices, first)) {
      const account = await this.accounts.get(userId, target.account_id);
      currencyOf(account);
      parts.push(partOf(name, file, target, account));
    }
    return { file, parts };
  }
}

/** @throws DomainError `conflict` while it is unknown */
function currencyOf({ name, currency }: AccountRow): string {
  if (currency !== null && minorDigits(currency) !== undefined) return currency;
  throw new DomainError('conflict', `${name} has no currency yet in which a file could be read.`);
}
