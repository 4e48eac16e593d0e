import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, HttpCode, Injectable, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import express, { type Request, type Response } from 'express';
import { Public } from '../../auth/access.guard.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import { reader } from '../../database/reader.js';
import { ConcurrencyLimiter } from '../../http/concurrency-limiter.js';
import { ApiError, ERRORS } from '../../http/errors/api-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { refuseLargeBody } from '../../http/input/json-body.guard.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { unlessAborted, withAbortScope } from '../../platform/time/abort-scope.js';
import { Clock } from '../../platform/time/clock.js';
import { ProviderInputError } from '../../providers/provider-error.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { Connection, type ConnectionKey, lockConnection } from '../connections/connection.entity.js';
import { ProviderRequestsService } from '../overview/provider-requests.service.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';

const MAX_PUSH_BYTES = 64 * 1024;
/** A vendor that waits longer sends it again. */
const PUSH_DEADLINE_MS = 5_000;
const MAX_PUSHES = 20;
/** What one push may name. */
const MAX_NAMED = 100;

/** Makes the connections due that a vendor has named. */
@Injectable()
export class PushesService {
  constructor(
    private readonly em: EntityManager,
    private readonly runs: SyncRunsService,
    private readonly clock: Clock,
  ) {}

  async receive(provider: string, externalIds: readonly string[]): Promise<void> {
    const named = { provider, externalId: { $in: externalIds.slice(0, MAX_NAMED) }, status: 'active' as const };
    const found = await reader(this.em).find(Connection, named, { orderBy: { userId: 'asc', id: 'asc' } });
    for (const key of found) await this.#makeDue(key);
  }

  /** The moment is not the one before, by which the end of a sync under way sees that something was pushed meanwhile. */
  async #makeDue({ userId, id }: ConnectionKey): Promise<void> {
    await this.em.transactional(async (em) => {
      await lockConnection(em, { userId, id });
      const connection = await em.findOneOrFail(Connection, { userId, id });
      connection.nextSyncAt = this.clock.now();
      noteChanges(userId, { kind: 'connections', ids: [id] });
      await em.flush();
      await this.runs.enqueuePushed(em, connection);
    });
  }
}

@Public()
@ApiTags('Connections')
@Controller('pushes')
export class PushesController {
  readonly #limiter = new ConcurrencyLimiter('pushes', { perCaller: {}, perInstance: MAX_PUSHES });
  readonly #parse = express.raw({ limit: MAX_PUSH_BYTES, type: () => true });

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly pushes: PushesService,
    private readonly providerRequests: ProviderRequestsService,
  ) {}

  @Post(':provider')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'receivePush',
    summary: 'Receive what a provider pushes',
    description:
      'For providers, which say here that they have something new. Needs no API key: the provider signs what it sends. The ' +
      'connections that it names are synced a few minutes after their last sync at the earliest, within their request budgets, ' +
      'so a push that comes again changes nothing.',
  })
  @ApiResponse({ status: 204, description: 'Received, whether a connection is named or not.' })
  @ApiResponse({ status: 400, description: 'The provider has not signed this.', type: ErrorResponse })
  @ApiResponse({ status: 404, description: 'There is no such provider, or it pushes nothing.', type: ErrorResponse })
  @ApiResponse({ status: 413, description: ERRORS.payload_too_large.title, type: ErrorResponse })
  @ApiResponse({
    status: 502,
    description: 'What the signature is checked with could not be fetched from the provider.',
    type: ErrorResponse,
  })
  async receive(
    @Param('provider') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const provider = this.providers.find(name)?.provider;
    if (!provider?.readPush) throw recordNotFound('provider');
    response.once('close', this.#limiter.acquire({}));
    refuseLargeBody(request, MAX_PUSH_BYTES);
    await new Promise<void>((resolve, reject) => {
      this.#parse(request, response, (error?: Error) => (error ? reject(error) : resolve()));
    });
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const { headers } = request;
    const scope = { signals: [], timeoutMs: PUSH_DEADLINE_MS };
    const ids = await withAbortScope(scope, (signal) =>
      unlessAborted(signal, provider.readPush!({ headers, body, signal })),
    ).catch((error: unknown) => {
      if (error instanceof ProviderInputError) throw new ApiError('bad_request', `The push ${error.message}.`);
      throw this.providerRequests.errorOf(error, name);
    });
    await this.pushes.receive(name, ids);
  }
}
