import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  Account,
  byPath,
  type Caller,
  CurrentCaller,
  EntityManager,
  ErrorResponse,
  GivenText,
  isUuid,
  LimitsAccounts,
  reader,
  recordNotFound,
  RequireScope,
  Text,
} from 'tidemark';
import { AccountNote } from './account-note.js';

class AccountNoteRequest {
  @GivenText({ max: 500, example: 'For the roof.' })
  text: string;
}

class AccountNoteResponse {
  @Text({ example: 'For the roof.', description: 'Empty: there is none.' })
  text: string;
}

@ApiTags('Account notes')
@Controller('api/v1/accounts/:id/note')
export class AccountNotesController {
  constructor(private readonly em: EntityManager) {}

  @Get()
  @RequireScope('notes:read')
  @LimitsAccounts(byPath('id'))
  @ApiOperation({ operationId: 'getAccountNote', summary: 'The note on an account' })
  @ApiResponse({ status: 200, description: 'The note.', type: AccountNoteResponse })
  @ApiResponse({ status: 404, description: 'You have no such account.', type: ErrorResponse })
  async get(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<AccountNoteResponse> {
    const em = reader(this.em);
    if (!isUuid(id) || !(await em.findOne(Account, { userId, id }))) throw recordNotFound('account');
    const note = await em.findOne(AccountNote, { userId, id });
    return { text: note?.text ?? '' };
  }

  @Put()
  @RequireScope('notes:write')
  @LimitsAccounts(byPath('id'))
  @ApiOperation({ operationId: 'setAccountNote', summary: 'Write the note on an account' })
  @ApiResponse({ status: 200, description: 'The note as it is now.', type: AccountNoteResponse })
  @ApiResponse({ status: 404, description: 'You have no such account.', type: ErrorResponse })
  async set(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Body() { text }: AccountNoteRequest,
  ): Promise<AccountNoteResponse> {
    await this.em.transactional(async (em) => {
      if (!isUuid(id) || !(await em.findOne(Account, { userId, id }))) throw recordNotFound('account');
      await em.upsert(AccountNote, { userId, id, text });
    });
    return { text };
  }
}
