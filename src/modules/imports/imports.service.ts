import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  Account,
  AuditTrailService,
  Clock,
  DAY_MS,
  DomainError,
  EntityManager,
  ImportedListsService,
  isUuid,
  lockUser,
  noteChanges,
  reader,
  recordNotFound,
  type SentFile,
  usingSessionsFor,
} from '../../kit.js';
import type { FileChoices } from './files/statement-file.js';
import { Import, type ImportChoices, ImportFile, ImportLayout, ImportPart } from './import.entities.js';
import { type ImportRow, ListImportsService } from './list-imports.service.js';
import { type ImportedPart, questionsOf } from './preview-import.js';
import { type ImportCaller, ReadFileService } from './read-file.service.js';

/** Per person: each has up to 25 MiB. */
const MAX_PREVIEWS = 10;
/** Per person: 12 files a year of 50 accounts for 15 years. */
const MAX_IMPORTS = 10_000;
const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** What a person says of a file; what is missing stays as it is. */
export type ChoiceChanges = Partial<Omit<ImportChoices, 'account_id'>>;

/** Files of banks: shown first, and in the accounts once a person has accepted them. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly em: EntityManager,
    private readonly lists: ImportedListsService,
    private readonly imports: ListImportsService,
    private readonly reading: ReadFileService,
    private readonly audit: AuditTrailService,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads a file and stores what it would do. What the person has said of such files before holds, unless they say something.
   *
   * @throws DomainError `record_not_found`: the account; `validation_failed`: the file cannot be read, or is in another
   * currency; `conflict`
   */
  async start(caller: ImportCaller, { name, bytes }: SentFile, choices: ImportChoices): Promise<ImportRow> {
    const { userId } = caller;
    const { said, file, preview } = await this.#readAsBefore(caller, { name, bytes }, choices);
    const id = randomUUID();
    await this.em.transactional(async (em) => {
      await lockUser(em, userId);
      if ((await em.count(Import, { userId, status: 'preview' })) >= MAX_PREVIEWS)
        throw new DomainError(
          'conflict',
          `${MAX_PREVIEWS} files wait to be accepted under Imports, for a day each. Accept or remove one first.`,
        );
      if ((await em.count(Import, { userId })) >= MAX_IMPORTS)
        throw new DomainError('conflict', `You have ${MAX_IMPORTS.toLocaleString('en')} imports, which is the limit.`);
      await em.insert(Import, {
        userId,
        id,
        name,
        format: file.format,
        status: 'preview',
        choices: said,
        preview,
        createdAt: this.clock.now(),
        acceptedAt: null,
      });
      await em.insert(ImportFile, { userId, id, content: bytes });
      noteChanges(userId, { kind: 'imports', ids: [id] });
    });
    return this.imports.get(userId, id);
  }

  /** Reads a file with what was said of such files before, where the person says nothing. A remembered answer needs a question. */
  async #readAsBefore(caller: ImportCaller, { name, bytes }: SentFile, choices: ImportChoices) {
    const hasSaid = Object.keys(choices).length > 1;
    const remembered = hasSaid ? null : await this.#remembered(caller, bytes, choices.account_id);
    const { date_order, decimal, sign, ...layout } = remembered ?? {};
    const said: ImportChoices = { ...layout, ...choices };
    const read = await this.reading.preview(caller, { name, bytes, choices: said });
    const answers = Object.fromEntries(
      Object.entries({ date_order, decimal, sign }).filter(
        ([asked, answer]) =>
          answer !== undefined && questionsOf(read.file, said).some(({ choice }) => choice === asked),
      ),
    );
    if (Object.keys(answers).length === 0) return { said, ...read };
    const answered: ImportChoices = { ...said, ...answers };
    return { said: answered, ...(await this.reading.preview(caller, { name, bytes, choices: answered })) };
  }

  /** Reads a file anew, with other choices. @throws DomainError as {@link start}; `conflict` for one that is accepted */
  async choose(caller: ImportCaller, id: string, changes: ChoiceChanges): Promise<ImportRow> {
    const { userId } = caller;
    const { name, choices, bytes } = await this.preview(userId, id);
    const changed: ImportChoices = { ...choices, ...changes };
    const { preview } = await this.reading.preview(caller, { name, bytes, choices: changed });
    await this.em.transactional(async (em) => {
      const values = { choices: changed, preview };
      if ((await em.nativeUpdate(Import, { userId, id, status: 'preview' }, values)) === 0)
        throw recordNotFound('import');
      noteChanges(userId, { kind: 'imports', ids: [id] });
    });
    return this.imports.get(userId, id);
  }

  /**
   * Puts what a file has into its accounts. One that is accepted already stays as it is.
   *
   * @throws DomainError `record_not_found`; `conflict` while something is asked, and for a file with nothing in it
   */
  async accept(caller: ImportCaller, id: string): Promise<ImportRow> {
    const { userId } = caller;
    const stored = await this.imports.get(userId, id);
    if (stored.status === 'accepted') return stored;
    const { name, choices, bytes } = await this.preview(userId, id);
    const { file, parts } = await this.reading.read(caller, { name, bytes, choices });
    const [question] = questionsOf(file, choices);
    if (question) throw new DomainError('conflict', `Before this file can be accepted: ${question.message}`);
    if (parts.every(({ list }) => list.rows.length === 0 && list.balances.length === 0))
      throw new DomainError('conflict', 'The file has no transactions and no balances.');
    const write = async (em: EntityManager) => {
      const found = await em.findOne(Import, { userId, id }, LOCKED);
      if (!found) throw recordNotFound('import');
      if (found.status === 'accepted') return;
      if (JSON.stringify(found.choices) !== JSON.stringify(choices))
        throw new DomainError('conflict', 'The choices have changed meanwhile. Look at the preview again.');
      await this.#addParts(em, caller, found, parts);
      await em.nativeDelete(ImportFile, { userId, id });
      Object.assign(found, { status: 'accepted', acceptedAt: this.clock.now(), preview: null });
      await this.#remember(em, caller, choices, bytes);
      await em.flush();
      noteChanges(userId, { kind: 'imports', ids: [id] });
      await this.audit.record({ userId, kind: 'import_accepted', subjectId: id, subject: name });
    };
    await usingSessionsFor('background', () => this.em.transactional(write));
    return this.imports.get(userId, id);
  }

  /** Throws a preview away, or takes out of the accounts what a file has brought. @throws DomainError `record_not_found` */
  async remove(caller: ImportCaller, id: string): Promise<void> {
    const { userId } = caller;
    const write = async (em: EntityManager) => {
      const found = isUuid(id) ? await em.findOne(Import, { userId, id }, LOCKED) : null;
      if (!found) throw recordNotFound('import');
      const parts = await em.find(ImportPart, { userId, importId: id }, { orderBy: { accountId: 'asc' } });
      for (const part of parts) await this.lists.remove(caller, part.id);
      await em.nativeDelete(Import, { userId, id });
      noteChanges(userId, { kind: 'imports', ids: [id] });
      if (found.status === 'accepted')
        await this.audit.record({ userId, kind: 'import_undone', subjectId: id, subject: found.name });
    };
    await usingSessionsFor('background', () => this.em.transactional(write));
  }

  /** Throws away what nobody has accepted within a day. @param stopping aborts when the instance stops */
  async removeOld(stopping: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - DAY_MS);
    const old = await reader(this.em).find(Import, { status: 'preview', createdAt: { $lt: before } });
    for (const { userId, id } of old) {
      stopping.throwIfAborted();
      await this.em.transactional(async (em) => {
        await em.nativeDelete(Import, { userId, id, status: 'preview' });
        noteChanges(userId, { kind: 'imports', ids: [id] });
      });
    }
  }

  /** A file that is not accepted, with its bytes. */
  async preview(userId: string, id: string): Promise<SentFile & { choices: ImportChoices }> {
    const em = reader(this.em);
    const found = isUuid(id) ? await em.findOne(Import, { userId, id }) : null;
    if (!found) throw recordNotFound('import');
    const file = await em.findOne(ImportFile, { userId, id });
    if (!file) throw new DomainError('conflict', 'The import is accepted. Undo it to import the file in another way.');
    return { name: found.name, choices: found.choices, bytes: Buffer.from(file.content) };
  }

  async #addParts(
    em: EntityManager,
    caller: ImportCaller,
    { id }: Import,
    parts: readonly ImportedPart[],
  ): Promise<void> {
    const { userId } = caller;
    const accountIds = parts.map(({ account }) => account.id);
    // In one order, so that two files with the same accounts do not wait for each other.
    await em.find(Account, { userId, id: { $in: accountIds } }, { ...LOCKED, orderBy: { id: 'asc' } });
    for (const [place, { target, account, list }] of parts.entries()) {
      const partId = place === 0 ? id : randomUUID();
      await this.lists.add(caller, account.id, list, partId);
      await em.insert(ImportPart, {
        userId,
        id: partId,
        importId: id,
        accountId: account.id,
        fileAccount: target.file_account,
        firstDate: list.covered?.first ?? null,
        lastDate: list.covered?.last ?? null,
        balances: list.balances.length,
      });
    }
  }

  async #remembered(caller: ImportCaller, bytes: Buffer, accountId: string): Promise<FileChoices | null> {
    const { userId } = caller;
    const header = this.reading.headerOf(caller, bytes);
    const layout = header === null ? null : await reader(this.em).findOne(ImportLayout, { userId, header });
    if (!layout) return null;
    const { account_id: ofAccount, sign, ...others } = layout.choices;
    // Files of a card and of a checking account may have the same header.
    return { ...others, ...(sign && ofAccount === accountId && { sign }) };
  }

  async #remember(em: EntityManager, caller: ImportCaller, choices: ImportChoices, bytes: Buffer): Promise<void> {
    const ofFile = { ...choices };
    delete ofFile.accounts;
    const header = this.reading.headerOf(caller, bytes);
    if (header === null || Object.keys(ofFile).length === 1) return;
    const { userId } = caller;
    await em.upsert(ImportLayout, { userId, header, choices: ofFile, updatedAt: this.clock.now() });
  }
}
