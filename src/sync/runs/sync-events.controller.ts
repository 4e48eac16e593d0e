import { type BeforeApplicationShutdown, Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { recordNotFound } from '../../http/errors/api-error.js';
import { ConcurrencyLimiter } from '../../http/limits/concurrency-limiter.js';
import { EVENT_STREAM_TYPE, lastEventId, sendEvents, type StreamEvent } from '../../http/streams/event-stream.js';
import { Produces } from '../../http/export/media-type.js';
import { isUuid } from '../../http/input/validators.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { OpenStreams } from '../../http/streams/open-streams.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { Config } from '../../config/config.js';
import { MetricsService } from '../../observability/metrics/metrics.service.js';
import { toSyncResponse } from './sync.response.js';
import { type FollowOptions, SyncRunFeed } from '../events/sync-run.feed.js';
import type { SyncRun } from '../sync-run.entity.js';
import { SyncRunsService } from './sync-runs.service.js';

const EXAMPLE = `retry: 2000

id: 41
event: sync
data: {"id":"5f0c7d0e-8f3b-4c55-9a4e-2b1f6d3c9a10","status":"running",…}

`;
const STREAM = { [EVENT_STREAM_TYPE]: { schema: { type: 'string' }, example: EXAMPLE } };
const HOW_TO_FOLLOW =
  'This is a stream. Swagger UI shows what comes of it within five seconds; to follow it, use a client that reads while ' +
  'it comes: `EventSource` with a way to send the key, or `curl -N`.';
const RESUME = {
  name: 'Last-Event-ID',
  required: false,
  description: 'The id of the last event you got; what has changed since is sent first.',
};

/** Syncs as they happen, as Server-Sent Events. An event is named `sync`; its data is the sync as `GET` gives it. */
@ApiTags('Syncs')
@Controller('api/v1')
export class SyncEventsController implements BeforeApplicationShutdown {
  readonly #open = new Set<AbortController>();
  readonly #limiter: ConcurrencyLimiter;
  #stopped = false;

  constructor(
    private readonly runs: SyncRunsService,
    private readonly feed: SyncRunFeed,
    private readonly openStreams: OpenStreams,
    private readonly config: Config,
    metrics: MetricsService,
  ) {
    this.#limiter = new ConcurrencyLimiter('event streams', {
      perCaller: { key: config.maxEventStreamsPerKey, person: config.maxEventStreamsPerPerson },
      perInstance: config.maxEventStreams,
    });
    metrics.watchOpenStreams('events', () => this.#limiter.total);
  }

  @Get('events')
  @RequireScope('connections:read')
  @Produces(EVENT_STREAM_TYPE)
  @ApiOperation({
    operationId: 'streamEvents',
    summary: 'Follow everything',
    description: `
Begins with the syncs that are under way and goes on until you leave. Event \`sync\`: a sync has changed. While nothing
happens, nothing comes but a comment every 15 seconds.

${HOW_TO_FOLLOW}

    curl -sN -H 'X-Api-Key: tm_…' 'https://tidemark.example/api/v1/events'
`.trim(),
  })
  @ApiHeader(RESUME)
  @ApiResponse({ status: 200, description: 'Server-Sent Events.', content: STREAM })
  async all(
    @CurrentCaller() caller: Caller,
    @Headers('last-event-id') last: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.#stream(response, caller, { runId: null, after: lastEventId(last) });
  }

  @Get('syncs/:id/events')
  @RequireScope('connections:read')
  @Produces(EVENT_STREAM_TYPE)
  @ApiOperation({
    operationId: 'streamSync',
    summary: 'Follow one sync',
    description: `Begins with how it is now and ends with it.\n\n${HOW_TO_FOLLOW}`,
  })
  @ApiHeader(RESUME)
  @ApiResponse({ status: 200, description: 'Server-Sent Events.', content: STREAM })
  @ApiResponse({ status: 204, description: 'It has ended, and you have seen that.' })
  async one(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Headers('last-event-id') last: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const run = isUuid(id) ? await this.runs.find(caller.userId, id) : null;
    if (!run) throw recordNotFound('sync');
    const after = lastEventId(last);
    // Browsers connect again whenever a stream ends; this is how they are told to leave it.
    if (run.finishedAt && after !== null && after >= run.eventId) return void response.status(204).end();
    await this.#stream(response, caller, { runId: run.id, after });
  }

  /** Open streams would keep the server from closing. */
  beforeApplicationShutdown(): void {
    this.#stopped = true;
    for (const abort of this.#open) abort.abort();
  }

  /** A place is held, and the key watched, until the stream has ended. */
  async #stream(
    response: Response,
    { userId, apiKeyId }: Caller,
    options: Omit<FollowOptions, 'signal'>,
  ): Promise<void> {
    const release = this.#limiter.acquire({ key: apiKeyId, person: userId });
    const abort = new AbortController();
    const unregister = this.openStreams.register({ userId, credentialId: apiKeyId }, () => abort.abort());
    if (this.#stopped) abort.abort();
    this.#open.add(abort);
    try {
      const runs = await this.feed.follow(userId, { ...options, signal: abort.signal });
      await sendEvents(response, eventsOf(runs), abort, this.config.idleReaderTimeoutMs);
    } finally {
      abort.abort();
      this.#open.delete(abort);
      unregister();
      release();
    }
  }
}

async function* eventsOf(runs: AsyncIterable<SyncRun>): AsyncGenerator<StreamEvent> {
  for await (const run of runs) yield { id: run.eventId, name: 'sync', data: toSyncResponse(run) };
}
