import { Body, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import {
  AccountsRepository,
  CurrentSession,
  DomainError,
  type Fields,
  fileOf,
  FormId,
  IdempotencyKeysService,
  type PageReply,
  readPage,
  redirectTo,
  refuse,
  type Session,
  TakesFile,
  textOf,
  WebPage,
} from '../../../kit.js';
import { ImportRowsService } from '../import-rows.service.js';
import { UPLOAD } from '../imports.controller.js';
import { ImportsService } from '../imports.service.js';
import { ListImportsService } from '../list-imports.service.js';
import { ImportPage } from './import.page.js';
import { ImportsPage } from './imports.page.js';
import { LeftOutPage } from './left-out.page.js';
import { choicesIn } from './reading-form.js';

const PER_PAGE = 20;

@WebPage('imports')
export class ImportsPageController {
  constructor(
    private readonly imports: ImportsService,
    private readonly lists: ListImportsService,
    private readonly rows: ImportRowsService,
    private readonly accounts: AccountsRepository,
    private readonly forms: IdempotencyKeysService,
  ) {}

  @Get()
  async list(@CurrentSession() session: Session, @Query() query: Fields): Promise<PageReply> {
    return this.#list(session, query);
  }

  @Post()
  @TakesFile(UPLOAD)
  async start(@CurrentSession() session: Session, @Body() body: Fields, @Req() request: Request): Promise<PageReply> {
    const file = fileOf(request);
    const accountId = textOf(body, 'account_id');
    if (!file || file.name === '') return refuse(await this.#list(session, body), { file: 'Choose a file.' });
    try {
      const { id } = await this.imports.start(session, file, { account_id: accountId });
      return redirectTo(`/imports/${id}`);
    } catch (error) {
      return refuse(await this.#list(session, body), { file: sentenceOf(error) });
    }
  }

  @Get(':id')
  async show(@CurrentSession() session: Session, @Param('id') id: string, @Query() query: Fields): Promise<PageReply> {
    return this.#show(session, id, textOf(query, 'done'));
  }

  @Post(':id')
  async choose(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: Fields): Promise<PageReply> {
    const found = await this.lists.get(session.userId, id);
    try {
      await this.imports.choose(session, id, choicesIn(body, found));
      return redirectTo(`/imports/${id}`);
    } catch (error) {
      return refuse(await this.#show(session, id), { reading: sentenceOf(error) });
    }
  }

  @Post(':id/accept')
  async accept(@CurrentSession() session: Session, @Param('id') id: string): Promise<PageReply> {
    try {
      await this.imports.accept(session, id);
      return redirectTo(`/imports/${id}?done=accepted`);
    } catch (error) {
      return refuse(await this.#show(session, id, '', sentenceOf(error)), {}, 409);
    }
  }

  @Post(':id/remove')
  async remove(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @FormId() formId: string,
  ): Promise<PageReply> {
    if (!(await this.forms.wasSent({ userId: session.userId, formId }))) {
      await this.imports.remove(session, id);
      await this.forms.sendOnce({ userId: session.userId, formId }, () => Promise.resolve({}));
    }
    return redirectTo('/imports?done=removed');
  }

  @Get(':id/left-out')
  async leftOut(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Query() query: Fields,
  ): Promise<PageReply> {
    const found = await this.lists.get(session.userId, id);
    const read = (page: { page: number; per_page: number }) =>
      this.rows.listPage(session, id, { ...page, standing: 'left_out' });
    const { rows, page, last } = await readPage(textOf(query, 'page'), PER_PAGE, read);
    return <LeftOutPage found={found} rows={rows} page={page} last={last} />;
  }

  async #list({ userId }: Session, fields: Fields): Promise<VNode> {
    const read = (query: { page: number; per_page: number }) => this.lists.list({ userId }, query);
    const { rows, page, last } = await readPage(textOf(fields, 'page'), PER_PAGE, read);
    const accounts = await this.accounts.list(userId);
    const into = textOf(fields, 'account_id');
    return (
      <ImportsPage
        imports={rows}
        accounts={accounts}
        into={into}
        page={page}
        last={last}
        isRemoved={textOf(fields, 'done') === 'removed'}
      />
    );
  }

  async #show({ userId }: Session, id: string, done = '', problem = ''): Promise<VNode> {
    const found = await this.lists.get(userId, id);
    const [accounts, gone] = await Promise.all([this.accounts.list(userId), this.lists.countGone(found)]);
    return <ImportPage found={found} accounts={accounts} gone={gone} done={done} problem={problem} />;
  }
}

/** What a person did wrong, or what was not possible. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof DomainError)) throw error;
  return error.message.replace(/^file cannot be read\. /, '');
}
