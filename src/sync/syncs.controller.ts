import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { recordNotFound } from '../api/api-error.js';
import { ErrorResponse } from '../api/error-response.js';
import { isUuid } from '../api/validators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { SyncResponse, toSyncResponse } from './sync.response.js';
import { SyncRuns } from './sync-runs.repository.js';

@ApiTags('Syncs')
@Controller('api/v1/syncs')
export class SyncsController {
  constructor(private readonly runs: SyncRuns) {}

  @Get(':id')
  @RequireScope('connections:read')
  @ApiOperation({ operationId: 'getSync', summary: 'Get one sync', description: 'How far it is, or how it ended.' })
  @ApiResponse({ status: 200, description: 'The sync.', type: SyncResponse })
  @ApiResponse({ status: 404, description: 'There is no such sync.', type: ErrorResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<SyncResponse> {
    const run = isUuid(id) ? await this.runs.find(caller.userId, id) : null;
    if (!run) throw recordNotFound('sync');
    return toSyncResponse(run);
  }
}
