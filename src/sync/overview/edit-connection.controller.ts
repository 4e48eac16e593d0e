import { Body, Controller, Delete, HttpCode, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { recordNotFound, validationFailed } from '../../errors/domain-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { isUuid } from '../../http/input/validators.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { ProviderRegistry } from '../../bank-provider/provider-registry.js';
import { EditConnectionService } from '../connect/edit-connection.service.js';
import { ConnectionResponse, toConnectionResponse } from './connection.response.js';
import { ConnectionOverviewQueries, type ConnectionView } from './connection-overview.queries.js';
import { ConnectBankService } from '../connect/connect-bank.service.js';
import { EditConnectionRequest, RemoveConnectionQuery, ReplaceCredentialsRequest } from './edit-connection.request.js';
import { ProviderRequestsService } from './provider-requests.service.js';

/** Edits, reconnects and removes connections. */
@ApiTags('Connections')
@Controller('api/v1/connections/:id')
export class EditConnectionController {
  constructor(
    private readonly connections: ConnectBankService,
    private readonly edits: EditConnectionService,
    private readonly requests: ProviderRequestsService,
    private readonly repository: ConnectionOverviewQueries,
    private readonly providers: ProviderRegistry,
  ) {}

  @Patch()
  @RequireScope('connections:write')
  @ApiOperation({ operationId: 'editConnection', summary: 'Rename a connection or switch pending transactions' })
  @ApiResponse({ status: 200, description: 'The connection as it is now.', type: ConnectionResponse })
  async edit(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Body() { name, include_pending: includePending }: EditConnectionRequest,
  ): Promise<ConnectionResponse> {
    const { connection } = await this.#find(userId, id);
    const pendingSwitch = this.providers.find(connection.provider)?.provider.pendingSwitch ?? null;
    if (includePending !== undefined && pendingSwitch !== null) {
      throw validationFailed(['include_pending is decided by the environment for this provider']);
    }
    await this.edits.edit(connection, {
      ...(name === undefined ? {} : { name }),
      ...(includePending === undefined ? {} : { includePending }),
    });
    return toConnectionResponse(await this.#find(userId, id));
  }

  @Put('credentials')
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'replaceCredentials',
    summary: 'Reconnect',
    description:
      'Replaces the credential of the connection and queues a sync; accounts and history stay. If the new credential ' +
      'belongs to other accounts than those of this connection, the sync fails and writes nothing. If the provider ' +
      'refuses it, the old one stays in place.',
  })
  @ApiBody({ type: ReplaceCredentialsRequest })
  @ApiResponse({ status: 200, description: 'Reconnected; a sync is queued.', type: ConnectionResponse })
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
    @CurrentCaller() { userId, apiKeyId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<ConnectionResponse> {
    const { connection } = await this.#find(userId, id);
    const { provider } = connection;
    const pasted = await this.requests.replacement(provider, body);
    await this.connections.replaceCredential(connection, apiKeyId, pasted).catch((error: unknown) => {
      throw this.requests.errorOf(error, provider);
    });
    return toConnectionResponse(await this.#find(userId, id));
  }

  @Delete()
  @HttpCode(204)
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'deleteConnection',
    summary: 'Remove a connection',
    description:
      'Its credential is deleted at once and a running sync stops. Accounts and history stay, no longer synced. ' +
      'The access itself lasts until you disable it at the provider.',
  })
  @ApiResponse({ status: 204, description: 'Removed.' })
  async remove(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Query() { purge }: RemoveConnectionQuery,
  ): Promise<void> {
    const { connection } = await this.#find(userId, id);
    await this.edits.remove(connection, purge === 'true');
  }

  async #find(userId: string, id: string): Promise<ConnectionView> {
    const found = isUuid(id) ? await this.repository.find(userId, id) : null;
    if (!found) throw recordNotFound('connection');
    return found;
  }
}
