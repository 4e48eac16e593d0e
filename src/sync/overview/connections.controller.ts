import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.decorator.js';
import { recordNotFound } from '../../errors/domain-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { PageQuery, pagination } from '../../http/pagination/page.js';
import { isUuid } from '../../http/input/validators.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { ConnectRequest } from '../../connections/connect.request.js';
import { ConnectionCollection, ConnectionResponse, toConnectionResponse } from './connection.response.js';
import { ConnectionOverviewQueries, type ConnectionView } from './connection-overview.queries.js';
import { ConnectBankService } from '../connect/connect-bank.service.js';
import { ProviderRequestsService } from './provider-requests.service.js';
import { SyncResponse, toSyncResponse } from '../runs/sync.response.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';
import { SyncRevisions } from '../sync-revisions.js';

@ApiTags('Connections')
@Controller('api/v1/connections')
export class ConnectionsController {
  constructor(
    private readonly connections: ConnectBankService,
    private readonly requests: ProviderRequestsService,
    private readonly repository: ConnectionOverviewQueries,
    private readonly runs: SyncRunsService,
  ) {}

  @Get()
  @ConditionalGet({ revisions: SyncRevisions })
  @RequireScope('connections:read')
  @ApiOperation({ operationId: 'listConnections', summary: 'List connections', description: 'Oldest first.' })
  @ApiResponse({ status: 200, description: 'Connections listed.', type: ConnectionCollection })
  async list(@CurrentCaller() { userId }: Caller, @Query() query: PageQuery): Promise<ConnectionCollection> {
    const { rows, totalCount } = await this.repository.list(userId, query);
    return { connections: rows.map(toConnectionResponse), pagination: pagination(query, totalCount) };
  }

  @Get(':id')
  @RequireScope('connections:read')
  @ApiOperation({ operationId: 'getConnection', summary: 'Get one connection' })
  @ApiResponse({ status: 200, description: 'The connection.', type: ConnectionResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ConnectionResponse> {
    return toConnectionResponse(await this.#find(caller, id));
  }

  @Post()
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'createConnection',
    summary: 'Connect a bank',
    description: 'Spends the setup token or tries the key, stores the credential encrypted and queues the first sync.',
  })
  @ApiBody({ type: ConnectRequest })
  @ApiResponse({ status: 201, description: 'Connected; the first sync is queued.', type: ConnectionResponse })
  @ApiResponse({
    status: 409,
    description: 'The credential is already connected, or the limit of connections is reached.',
    type: ErrorResponse,
  })
  @ApiResponse({
    status: 502,
    description: 'The provider refused or failed; `details.kind` says how.',
    type: ErrorResponse,
  })
  async create(
    @CurrentCaller() caller: Caller,
    // Which members it has depends on the provider.
    @Body() body: unknown,
  ): Promise<ConnectionResponse> {
    const wanted = { userId: caller.userId, caller: caller.apiKeyId, ...(await this.requests.connect(body)) };
    const id = await this.connections.connect(wanted).catch((error: unknown) => {
      throw this.requests.errorOf(error, wanted.provider);
    });
    return toConnectionResponse(await this.#find(caller, id));
  }

  @Post(':id/sync')
  @HttpCode(202)
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'syncConnection',
    summary: 'Sync now',
    description: 'Queues a sync. While one is queued or running, that one is returned.',
  })
  @ApiResponse({ status: 202, description: 'Queued, or already under way.', type: SyncResponse })
  async sync(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<SyncResponse> {
    const { connection } = await this.#find(caller, id);
    return toSyncResponse(await this.runs.request(caller.userId, connection.id, 'person'));
  }

  async #find({ userId }: Caller, id: string): Promise<ConnectionView> {
    const found = isUuid(id) ? await this.repository.find(userId, id) : null;
    if (!found) throw recordNotFound('connection');
    return found;
  }
}
