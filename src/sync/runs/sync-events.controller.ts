import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { recordNotFound } from '../../platform/domain-error.js';
import { ConcurrencyLimiter } from '../../http/concurrency-limiter.js';
import { EVENT_STREAM_TYPE, sendEvents, type StreamEvent } from '../../http/streams/event-stream.js';
import { Produces } from '../../http/export/media-type.guard.js';
import { isUuid } from '../../http/input/validators.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { OpenStreams } from '../../http/streams/open-streams.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { Config } from '../../platform/config/config.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { toSyncResponse } from './sync.response.js';
import { ChangeStream, type FollowOptions, type StreamedChanges } from '../events/change-stream.js';
import { scopeOfKind } from '../../database/change-log/change.js';
import { hasSyncChanged, readLogState } from '../change-feed/change-log.js';
import { feedCursorText, parseFeedCursor } from '../change-feed/cursor.js';
import { SyncRunsService } from './sync-runs.service.js';

const EXAMPLE = `retry: 2000

id: WzEsIjVYcTBfd2tUbzlhYSIsNDBd

event: sync
data: {"id":"5f0c7d0e-8f3b-4c55-9a4e-2b1f6d3c9a10","status":"running",…}

id: WzEsIjVYcTBfd2tUbzlhYSIsNDFd
event: changes
data: {"types":["connections","syncs"]}

`;
const STREAM = { [EVENT_STREAM_TYPE]: { schema: { type: 'string' }, example: EXAMPLE } };
const HOW_TO_FOLLOW =
  'This is a stream. Swagger UI shows its first five seconds. To follow it, use a client that reads while data come: ' +
  '`EventSource` with a way to send the key, or `curl -N`.';
const RESUME = {
  name: 'Last-Event-ID',
  required: false,
  description: 'The last id you got, or a cursor of `GET /api/v1/changes`: what has changed since is sent first.',
};

/** Streams syncs and changes as Server-Sent Events. The data of an event `sync` is the sync as `GET` returns it. */
@ApiTags('Syncs')
@Controller('api/v1')
export class SyncEventsController implements BeforeApplicationShutdown {
  readonly #open = new Set<AbortController>();
  readonly #limiter: ConcurrencyLimiter;
  #stopped = false;

  constructor(
    private readonly runs: SyncRunsService,
    private readonly changes: ChangeStream,
    private readonly em: EntityManager,
    private readonly openStreams: OpenStreams,
    config: Config,
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
    summary: 'Stream changes and syncs',
    description: `
Begins with the syncs that are under way and stays open until you close it. Event \`sync\`: a sync has changed; its data is
the sync. Event \`changes\`: records of these types have changed; read them from \`GET /api/v1/changes\`. Only types that
the key may read are listed. An id is a cursor of that route: with it you have everything before it. Of events that
belong together only the last one has an id, and an id alone, as at the beginning, is no event: \`EventSource\` keeps it
by itself. Event \`reset\`: what has changed since your \`Last-Event-ID\` is no longer known; read everything again.
While nothing happens, nothing comes but a comment every 15 seconds. Swagger UI shows an answer when it ends, which this one
does not: take the \`curl\` command that it prints.

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
    await this.#stream(response, caller, null, last);
  }

  @Get('syncs/:id/events')
  @RequireScope('connections:read')
  @Produces(EVENT_STREAM_TYPE)
  @ApiOperation({
    operationId: 'streamSync',
    summary: 'Stream the progress of one sync',
    description: `Begins with the current state and ends when the sync ends.\n\n${HOW_TO_FOLLOW}`,
  })
  @ApiHeader(RESUME)
  @ApiResponse({ status: 200, description: 'Server-Sent Events.', content: STREAM })
  @ApiResponse({ status: 204, description: 'The sync has ended, and you have received its last event.' })
  async one(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Headers('last-event-id') last: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const run = isUuid(id) ? await this.runs.find(caller.userId, id) : null;
    if (!run) throw recordNotFound('sync');
    // Browsers reconnect when a stream ends, unless the answer is 204.
    if (run.finishedAt && (await this.#hasSeen(caller.userId, run.id, last))) return void response.status(204).end();
    await this.#stream(response, caller, run.id, last);
  }

  /** The position at which a client resumes. One of another database, one too old, or one that cannot be read is lost. */
  async #resume(
    userId: string,
    last: string | undefined,
  ): Promise<{ seal: string; after: number | null; isLost: boolean }> {
    const { seal, head, floor } = await readLogState(this.em, userId);
    if (!last?.trim()) return { seal, after: null, isLost: false };
    const cursor = parseFeedCursor(last.trim(), seal);
    if (!cursor) return { seal, after: null, isLost: true };
    const { done, isForeign } = cursor;
    const isKnown = !isForeign && done !== null && done >= floor && done <= head;
    return { seal, after: isKnown ? done : null, isLost: !isKnown };
  }

  async #hasSeen(userId: string, runId: string, last: string | undefined): Promise<boolean> {
    const { after } = await this.#resume(userId, last);
    return after !== null && !(await hasSyncChanged(this.em, userId, runId, after));
  }

  /** Open streams would keep the server from closing. */
  beforeApplicationShutdown(): void {
    this.#stopped = true;
    for (const abort of this.#open) abort.abort();
  }

  /** Counts the stream, and ends it when its key is revoked. */
  async #stream(response: Response, caller: Caller, runId: string | null, last: string | undefined): Promise<void> {
    const { userId, apiKeyId, secretId } = caller;
    const release = this.#limiter.acquire({ key: apiKeyId, person: userId });
    const abort = new AbortController();
    const unregister = this.openStreams.register({ userId, secretId }, () => abort.abort());
    if (this.#stopped) abort.abort();
    this.#open.add(abort);
    try {
      const { seal, after, isLost } = await this.#resume(userId, last);
      const options: FollowOptions = { runId, after, signal: abort.signal };
      const events = eventsOf(this.changes.follow(userId, options), {
        seal,
        scopes: caller.scopes,
        isLost: isLost && runId === null,
      });
      await sendEvents(response, events, abort);
    } finally {
      abort.abort();
      this.#open.delete(abort);
      unregister();
      release();
    }
  }
}

interface EventOptions {
  seal: string;
  /** Of the key that follows. */
  scopes: readonly string[];
  /** Changes were lost between the client's position and this stream. */
  isLost: boolean;
}

async function* eventsOf(
  changes: AsyncIterable<StreamedChanges>,
  { seal, scopes, isLost }: EventOptions,
): AsyncGenerator<StreamEvent> {
  if (isLost) yield { id: null, name: 'reset', data: {} };
  for await (const { position, runs, kinds } of changes) {
    const id = feedCursorText(seal, { done: position, page: null });
    const types = kinds.filter((kind) => scopes.includes(scopeOfKind(kind))).sort();
    const events: { name: string; data: object }[] = runs.map((run) => ({ name: 'sync', data: toSyncResponse(run) }));
    if (types.length > 0) events.push({ name: 'changes', data: { types } });
    // Whoever got only some of them must get them all again.
    for (const event of events.slice(0, -1)) yield { id: null, ...event };
    yield { id, ...events.at(-1) };
  }
}
