import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import {
  byFilter,
  type Caller,
  ConditionalGet,
  CurrentCaller,
  ErrorResponse,
  fileOf,
  LimitsAccounts,
  PageLinks,
  pagination,
  RequireScope,
  TakesFile,
  validationFailed,
} from '../../kit.js';
import { ChooseImport, choicesOf, ListImportsQuery, ListRowsQuery, StartImport } from './import.request.js';
import { ImportCollection, ImportResponse, toImport } from './import.response.js';
import { ImportRowsService } from './import-rows.service.js';
import { ImportedRowCollection, toImportedRow } from './imported-row.response.js';
import { ImportsService } from './imports.service.js';
import { ListImportsService } from './list-imports.service.js';

/** Of a file, as it is sent and stored. */
export const UPLOAD = { field: 'file', maxMib: 25 };

@ApiTags('Imports')
@Controller('api/v1/imports')
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly lists: ListImportsService,
    private readonly rows: ImportRowsService,
  ) {}

  @Get()
  @ConditionalGet()
  @PageLinks()
  @LimitsAccounts(byFilter)
  @RequireScope('transactions:read')
  @ApiOperation({
    operationId: 'listImports',
    summary: 'List imports',
    description: 'Newest first. With `account_id` accepted ones only.',
  })
  @ApiResponse({ status: 200, description: 'Imports listed.', type: ImportCollection })
  async list(@CurrentCaller() caller: Caller, @Query() query: ListImportsQuery): Promise<ImportCollection> {
    const { rows, totalCount } = await this.lists.list(caller, query);
    return { imports: rows.map(toImport), pagination: pagination(query, totalCount) };
  }

  @Post()
  @TakesFile(UPLOAD)
  @RequireScope('imports:write')
  @ApiOperation({
    operationId: 'startImport',
    summary: 'Read a file',
    description:
      'CSV, OFX and QFX, CAMT.053, MT940 or QIF, found from the content. The answer shows what accepting it would do; until then nothing of it is in an account. What you have said of a CSV file is remembered for those with the same header.',
  })
  @ApiBody({ type: StartImport })
  @ApiResponse({ status: 201, description: 'Read, and not accepted yet.', type: ImportResponse })
  @ApiResponse({ status: 404, description: 'You have no such account.', type: ErrorResponse })
  @ApiResponse({
    status: 409,
    description: 'Ten files wait to be accepted, or the account has no currency yet.',
    type: ErrorResponse,
  })
  async start(
    @CurrentCaller() caller: Caller,
    @Body() { account_id, ...body }: StartImport,
    @Req() request: Request,
  ): Promise<ImportResponse> {
    const file = fileOf(request);
    if (!file) throw validationFailed(['file must be sent']);
    return toImport(await this.imports.start(caller, file, { account_id, ...choicesOf(body) }));
  }

  @Get(':id')
  @ConditionalGet()
  @RequireScope('transactions:read')
  @ApiOperation({ operationId: 'getImport', summary: 'Get an import' })
  @ApiResponse({ status: 200, description: 'The import.', type: ImportResponse })
  async get(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<ImportResponse> {
    return toImport(await this.lists.get(userId, id));
  }

  @Get(':id/rows')
  @ConditionalGet()
  @PageLinks()
  @RequireScope('transactions:read')
  @ApiOperation({
    operationId: 'listImportRows',
    summary: 'List the transactions of a file',
    description:
      'By day; of a preview in the order of the file. `standing=left_out`: those on days of the bank or of a later file, which does not have them.',
  })
  @ApiResponse({ status: 200, description: 'Transactions listed.', type: ImportedRowCollection })
  async listRows(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ListRowsQuery,
  ): Promise<ImportedRowCollection> {
    const { rows, totalCount } = await this.rows.listPage(caller, id, query);
    return { rows: rows.map(toImportedRow), pagination: pagination(query, totalCount) };
  }

  @Patch(':id')
  @RequireScope('imports:write')
  @ApiOperation({
    operationId: 'chooseImport',
    summary: 'Say how a file is read',
    description: 'Answers its questions, and reads it anew. What is missing stays as it is.',
  })
  @ApiBody({ type: ChooseImport, examples: { date_order: { value: { date_order: 'ymd' } } } })
  @ApiResponse({ status: 200, description: 'Read anew.', type: ImportResponse })
  @ApiResponse({ status: 409, description: 'It is accepted already.', type: ErrorResponse })
  async choose(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { header, columns, accounts, ...body }: ChooseImport,
  ): Promise<ImportResponse> {
    const changes = {
      ...choicesOf(body),
      ...(header !== undefined && { header }),
      ...(columns && { columns }),
      ...(accounts && { accounts }),
    };
    return toImport(await this.imports.choose(caller, id, changes));
  }

  @Post(':id/accept')
  @HttpCode(200)
  @RequireScope('imports:write')
  @ApiOperation({
    operationId: 'acceptImport',
    summary: 'Accept an import',
    description: 'Puts its transactions and balances into the accounts. One that is accepted already stays as it is.',
  })
  @ApiResponse({ status: 200, description: 'Accepted.', type: ImportResponse })
  @ApiResponse({
    status: 409,
    description: 'It has a question, or nothing to import.',
    type: ErrorResponse,
  })
  async accept(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ImportResponse> {
    return toImport(await this.imports.accept(caller, id));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('imports:write')
  @ApiOperation({
    operationId: 'deleteImport',
    summary: 'Undo an import',
    description:
      '**This cannot be undone**, but the file can be read again. The history is then what it is without the file, and ' +
      'what you have said of its transactions goes with them. A preview is thrown away.',
  })
  @ApiResponse({ status: 204, description: 'Undone.' })
  async remove(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.imports.remove(caller, id);
  }
}
