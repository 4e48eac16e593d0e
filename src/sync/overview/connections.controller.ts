import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { recordNotFound, validationFailed } from '../../platform/domain-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { PageQuery, pagination } from '../../http/pagination/page.js';
import { isUuid } from '../../http/input/validators.js';
import { AcceptedIn } from '../../http/location.interceptor.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import {
  ConnectRequest,
  EditConnectionRequest,
  RemoveConnectionQuery,
  ReplaceCredentialsRequest,
} from './connection.requests.js';
import { ConnectionCollection, ConnectionResponse, toConnectionResponse } from './connection.response.js';
import { ConnectionOverviewQueries } from './connection-overview.queries.js';
import type { Connection } from '../connections/connection.entity.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { EditConnectionService } from '../connect/edit-connection.service.js';
import { ConnectBankService } from '../connect/connect-bank.service.js';
import { ProviderRequestsService } from './provider-requests.service.js';
import { SyncResponse, toSyncResponse } from '../runs/sync.response.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';
import { SyncRevisions } from '../sync-revisions.js';

@ApiTags('Connections')
@Controller('api/v1/connections')
export class ConnectionsController {
  constructor(
    private readonly connectBank: ConnectBankService,
    private readonly providerRequests: ProviderRequestsService,
    private readonly overview: ConnectionOverviewQueries,
    private readonly editConnection: EditConnectionService,
    private readonly providers: ProviderRegistry,
    private readonly runs: SyncRunsService,
  ) {}

  @Get()
  @ConditionalGet({ revisions: SyncRevisions })
  @RequireScope('connections:read')
  @ApiOperation({ operationId: 'listConnections', summary: 'List connections', description: 'Oldest first.' })
  @ApiResponse({ status: 200, description: 'Connections listed.', type: ConnectionCollection })
  async list(@CurrentCaller() { userId }: Caller, @Query() query: PageQuery): Promise<ConnectionCollection> {
    const { rows, totalCount } = await this.overview.list(userId, query);
    return { connections: rows.map(toConnectionResponse), pagination: pagination(query, totalCount) };
  }

  @Get(':id')
  @RequireScope('connections:read')
  @ApiOperation({ operationId: 'getConnection', summary: 'Get one connection' })
  @ApiResponse({ status: 200, description: 'The connection as it is now.', type: ConnectionResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ConnectionResponse> {
    const found = isUuid(id) ? await this.overview.find(caller.userId, id) : null;
    if (!found) throw recordNotFound('connection');
    return toConnectionResponse(found);
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
    const wanted = { userId: caller.userId, caller: caller.apiKeyId, ...this.providerRequests.connect(body) };
    const id = await this.connectBank.connect(wanted).catch((error: unknown) => {
      throw this.providerRequests.errorOf(error, wanted.provider);
    });
    return this.get(caller, id);
  }

  @Post(':id/sync')
  @AcceptedIn('/api/v1/syncs')
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'syncConnection',
    summary: 'Sync now',
    description: 'Queues a sync. If one is already queued or running, it is returned.',
  })
  @ApiResponse({ status: 202, description: 'Queued, or already under way.', type: SyncResponse })
  async sync(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<SyncResponse> {
    const connection = await this.#get(caller, id);
    return toSyncResponse(await this.runs.request(caller.userId, connection.id, 'person'));
  }

  @Patch(':id')
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'editConnection',
    summary: 'Rename a connection, or turn pending transactions on or off',
  })
  @ApiResponse({ status: 200, description: 'The connection as it is now.', type: ConnectionResponse })
  async edit(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { name, include_pending: includePending }: EditConnectionRequest,
  ): Promise<ConnectionResponse> {
    const connection = await this.#get(caller, id);
    const pendingSwitch = this.providers.find(connection.provider)?.provider.pendingSwitch ?? null;
    if (includePending !== undefined && pendingSwitch !== null) {
      throw validationFailed(['include_pending is decided by the environment for this provider']);
    }
    await this.editConnection.edit(connection, {
      ...(name === undefined ? {} : { name }),
      ...(includePending === undefined ? {} : { includePending }),
    });
    return this.get(caller, id);
  }

  @Put(':id/credentials')
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'replaceCredentials',
    summary: 'Reconnect',
    description:
      'Replaces the credential of the connection and queues a sync; accounts and history stay. If the new credential ' +
      'belongs to other accounts than those of this connection, the sync fails and writes nothing. If the provider ' +
      'refuses it, the old one stays in place. The member of another provider than that of the connection is 422.',
  })
  @ApiBody({ type: ReplaceCredentialsRequest })
  @ApiResponse({ status: 200, description: 'The connection as it is now.', type: ConnectionResponse })
  @ApiResponse({
    status: 409,
    description: 'Another connection has this credential, or this version does not know the provider.',
    type: ErrorResponse,
  })
  @ApiResponse({
    status: 502,
    description: 'The provider refused or failed; `details.kind` says how.',
    type: ErrorResponse,
  })
  async replaceCredentials(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<ConnectionResponse> {
    const connection = await this.#get(caller, id);
    const { provider } = connection;
    const pasted = this.providerRequests.replacement(provider, body);
    await this.connectBank.replaceCredential(connection, caller.apiKeyId, pasted).catch((error: unknown) => {
      throw this.providerRequests.errorOf(error, provider);
    });
    return this.get(caller, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'deleteConnection',
    summary: 'Remove a connection',
    description:
      '**This cannot be undone.** Its credential is deleted at once and a running sync stops. Accounts and history stay, no longer synced. ' +
      'The access itself stays valid until you revoke it at the provider.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { purge }: RemoveConnectionQuery,
  ): Promise<void> {
    await this.editConnection.remove(await this.#get(caller, id), purge);
  }

  /** The connection without what is shown of it. */
  async #get({ userId }: Caller, id: string): Promise<Connection> {
    const found = isUuid(id) ? await this.overview.get(userId, id) : null;
    if (!found) throw recordNotFound('connection');
    return found;
  }
}
