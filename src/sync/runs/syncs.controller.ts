import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { DomainError, recordNotFound } from '../../platform/domain-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { PageQuery, pagination } from '../../http/pagination/page.js';
import { GivenId, GivenOneOf } from '../../http/input/given.js';
import { isUuid } from '../../http/input/validators.js';
import { AcceptedIn } from '../../http/location.interceptor.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { SyncCollection, SyncResponse, toSyncResponse } from './sync.response.js';
import { SyncRunsService } from './sync-runs.service.js';
import { SyncRevisions } from '../sync-revisions.js';
import { SYNC_STATUSES, type SyncStatus } from '../sync-run.entity.js';

class ListSyncsQuery extends PageQuery {
  @GivenId({ optional: true, description: 'Only syncs of this connection.' })
  connection_id?: string;

  @GivenOneOf(SYNC_STATUSES, { optional: true, description: 'Only syncs in this state.' })
  status?: SyncStatus;
}

@ApiTags('Syncs')
@Controller('api/v1/syncs')
export class SyncsController {
  constructor(private readonly runs: SyncRunsService) {}

  @Get()
  @ConditionalGet({ revisions: SyncRevisions })
  @RequireScope('connections:read')
  @ApiOperation({ operationId: 'listSyncs', summary: 'List syncs', description: 'Newest first.' })
  @ApiResponse({ status: 200, description: 'Syncs listed.', type: SyncCollection })
  async list(@CurrentCaller() { userId }: Caller, @Query() query: ListSyncsQuery): Promise<SyncCollection> {
    const { rows, totalCount } = await this.runs.listPage(userId, query);
    return { syncs: rows.map(toSyncResponse), pagination: pagination(query, totalCount) };
  }

  @Get(':id')
  @RequireScope('connections:read')
  @ApiOperation({ operationId: 'getSync', summary: 'Get one sync', description: 'Its progress, or its result.' })
  @ApiResponse({ status: 200, description: 'The sync.', type: SyncResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<SyncResponse> {
    const run = isUuid(id) ? await this.runs.find(caller.userId, id) : null;
    if (!run) throw recordNotFound('sync');
    return toSyncResponse(run);
  }

  @Delete(':id')
  @AcceptedIn('/api/v1/syncs')
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'cancelSync',
    summary: 'Cancel a sync',
    description: 'What is stored already stays; nothing more is stored.',
  })
  @ApiResponse({ status: 202, description: 'Cancelled.', type: SyncResponse })
  @ApiResponse({ status: 409, description: 'The sync has already ended.', type: ErrorResponse })
  async cancel(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<SyncResponse> {
    const run = isUuid(id) ? await this.runs.cancel(caller.userId, id) : null;
    if (!run) throw recordNotFound('sync');
    if (run.status !== 'cancelled') throw new DomainError('conflict', `This sync has ended already (${run.status}).`);
    return toSyncResponse(run);
  }
}
