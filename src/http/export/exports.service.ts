import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';
import { OpenStreams, type StreamOwner } from '../streams/open-streams.js';
import { Config } from '../../config/config.js';
import { MetricsService } from '../../observability/metrics/metrics.service.js';

/** Each export holds one connection of the pool while its client reads. */
const LIMITS = { perCaller: { 'key or session': 2, person: 3 }, perInstance: 5 };

/** How a browser or a program shall store it. */
export interface ExportFile {
  name: string;
  type: string;
}

/**
 * Streams exports at the pace of their clients, and bounds them: how many there are, how long a client may read nothing,
 * how long an export takes in all. One that is cut short breaks its connection, so that no half is taken for the whole.
 */
@Injectable()
export class ExportsService {
  readonly #limiter = new ConcurrencyLimiter('exports', LIMITS);

  constructor(
    private readonly openStreams: OpenStreams,
    private readonly config: Config,
    metrics: MetricsService,
  ) {
    metrics.watchOpenStreams('exports', () => this.#limiter.total);
  }

  /**
   * @param text is not begun when the export is refused, and always ended otherwise
   * @throws ApiError when the owner (429) or the instance (503) has too many exports, and whatever happens before the
   * first piece of text: after that the status is sent
   */
  async stream(
    response: Response,
    owner: StreamOwner,
    text: AsyncGenerator<string, void>,
    { name, type }: ExportFile,
  ): Promise<StreamableFile> {
    const { credentialId, userId: person } = owner;
    const pieces = ending(text, this.#begin(response, owner, { 'key or session': credentialId, person }));
    // An iteration that has begun cleans up, whatever happens.
    const first = await pieces.next();
    return new StreamableFile(Readable.from(resume(first, pieces), { highWaterMark: 2 }), {
      type,
      disposition: `attachment; filename="${name}"`,
    });
  }

  /**
   * The limits and the credential are looked at until the client has its last byte, long after the text has ended.
   *
   * @returns what to call at the end of the text
   */
  #begin(response: Response, owner: StreamOwner, caller: Record<string, string>): () => void {
    const release = this.#limiter.acquire(caller);
    const { socket } = response;
    // A reset also takes back what the operating system has not sent yet.
    const cutShort = () => void (socket ? socket.resetAndDestroy() : response.destroy());
    const unregister = this.openStreams.register(owner, cutShort);
    const deadline = setTimeout(cutShort, this.config.exportDeadlineMs);
    response.setTimeout(this.config.idleReaderTimeoutMs, cutShort);
    response.once('close', () => {
      clearTimeout(deadline);
      unregister();
    });
    return release;
  }
}

async function* ending<T>(items: AsyncGenerator<T, void>, atEnd: () => void): AsyncGenerator<T, void> {
  try {
    yield* items;
  } finally {
    atEnd();
  }
}

/** An iteration whose first step was taken already. Ending it ends the rest. */
function resume<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncIterable<T> {
  let taken: IteratorResult<T, void> | null = first;
  const next = () => {
    const step = taken ?? rest.next();
    taken = null;
    return Promise.resolve(step);
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return() }) };
}
