import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../../platform/domain-error.js';
import { unauthorized } from '../errors/api-error.js';
import { ConcurrencyLimiter } from '../concurrency-limiter.js';
import { OpenStreams, type StreamOwner } from '../streams/open-streams.js';
import { Config } from '../../platform/config/config.js';
import { poolSizes } from '../../platform/config/pool-sizes.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';

const PER_CALLER = { 'key or session': 2, person: 3 };

/** By then the database may be less busy. */
const RETRY_AFTER_SECONDS = 60;

/** The name and type of the downloaded file. */
interface ExportFile {
  name: string;
  type: string;
}

/**
 * Streams exports at the pace of their clients, with limits: the number of exports, how long an export may take. An aborted
 * export resets its connection, so that a part cannot be mistaken for the whole.
 */
@Injectable()
export class ExportsService {
  /** Each export holds a session of the plain pool while its client reads. */
  readonly #limiter: ConcurrencyLimiter;

  constructor(
    private readonly openStreams: OpenStreams,
    private readonly config: Config,
    metrics: MetricsService,
  ) {
    const { exports } = poolSizes(config.database.poolMax);
    this.#limiter = new ConcurrencyLimiter('exports', { perCaller: PER_CALLER, perInstance: exports });
    metrics.watchOpenStreams('exports', () => this.#limiter.total);
  }

  /**
   * @param text not started when the export is refused, and always ended otherwise
   * @throws DomainError when the owner (429) or the instance (503) has too many exports, or, before the first piece of text,
   * since the status is not sent yet, the time is over (503); ApiError when the credential ends (401)
   */
  async stream(
    response: Response,
    owner: StreamOwner,
    text: AsyncGenerator<string, void>,
    { name, type }: ExportFile,
  ): Promise<StreamableFile> {
    const { secretId, userId: person } = owner;
    const refused = Promise.withResolvers<never>();
    let cutShort: (reason: Error) => void = refused.reject;
    const release = this.#begin(response, owner, { 'key or session': secretId, person }, (reason) => cutShort(reason));
    const pieces = ending(text, release);
    // Once started, the iteration cleans up in every case.
    const first = await Promise.race([pieces.next(), refused.promise]).catch((error: unknown) => {
      void pieces.return().catch(() => undefined);
      throw error;
    });
    cutShort = () => reset(response);
    // The API has said already whether it may be kept.
    if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'no-store');
    return new StreamableFile(Readable.from(resume(first, pieces), { highWaterMark: 2 }), {
      type,
      disposition: `attachment; filename="${name}"`,
    });
  }

  /**
   * Deadline, pauses and credential are watched until the client has the last byte, long after the text has ended.
   *
   * @returns releases the export's place; call it at the end of the text
   */
  #begin(
    response: Response,
    owner: StreamOwner,
    caller: Record<string, string>,
    cutShort: (reason: Error) => void,
  ): () => void {
    const release = this.#limiter.acquire(caller);
    const unregister = this.openStreams.register(owner, () =>
      cutShort(unauthorized('The API key or session ended before the export began.')),
    );
    const deadline = setTimeout(() => cutShort(tooLate()), this.config.exportDeadlineMs);
    const stopWatching = () => {
      clearTimeout(deadline);
      unregister();
    };
    // The client may have gone while its key was looked up.
    if (response.closed) stopWatching();
    else response.once('close', stopWatching);
    return release;
  }
}

function tooLate(): DomainError {
  return new DomainError('unavailable', 'The export could not begin in time. Try again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Also discards what the operating system has not sent yet. */
function reset(response: Response): void {
  const { socket } = response;
  if (socket) socket.resetAndDestroy();
  else response.destroy();
}

async function* ending<T>(items: AsyncGenerator<T, void>, atEnd: () => void): AsyncGenerator<T, void> {
  try {
    yield* items;
  } finally {
    atEnd();
  }
}

/** Continues an iteration after its first step. Ending it ends the rest. */
function resume<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncIterable<T> {
  let taken: IteratorResult<T, void> | null = first;
  const next = () => {
    const step = taken ?? rest.next();
    taken = null;
    return Promise.resolve(step);
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return() }) };
}
