import { Injectable, StreamableFile } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { Request } from 'express';
import { namesTag, unchanged, validated, weakTag } from './entity-tag.js';
import { wantedTypeOf } from '../export/media-type.js';
import { linked } from '../pagination/page-links.js';
import { callerOf } from '../caller.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { VERSION } from '../../config/version.js';
import { Revisions } from './revisions.js';

/** For a route that answers by way of {@link ConditionalGetService}. */
export const ConditionalGet = (): MethodDecorator =>
  ApiResponse({ status: 304, description: 'Nothing changed since the answer with this `ETag`.' });

/**
 * Gives a list an `ETag`, and a page of it its links; answers 304 to whoever has that already, without reading the list.
 * What is asked, how, by whom, on which day, by which version of the program and the revision decide the tag. Routes
 * call it: an interceptor around them would cost a tenth of the whole request.
 */
@Injectable()
export class ConditionalGetService {
  constructor(
    private readonly revisions: Revisions,
    private readonly clock: Clock,
  ) {}

  /** The revision is read before the list is, so that a tag is never newer than its answer. */
  async of<Answer>(
    request: Request,
    read: () => Promise<Answer>,
    revisions: Revisions = this.revisions,
  ): Promise<Answer | undefined> {
    const response = request.res!;
    const condition = request.get('if-none-match');
    const tag = this.#tag(request, await revisions.of(callerOf(request).userId));
    if (namesTag(condition, tag)) return unchanged(response, tag);
    const answer = await read();
    // Whether there is anything at all, only the list knows.
    if (condition?.trim() !== '*') return linked(request, response, validated(response, tag, answer));
    if (answer instanceof StreamableFile) answer.getStream().destroy();
    return unchanged(response, tag);
  }

  /**
   * For a list that is read together with its revision: where no condition is to be met, there is no need to ask before.
   *
   * @param read a revision that is `null` gives no tag
   */
  async withRevision<Answer>(
    request: Request,
    read: () => Promise<{ answer: Answer; revision: string | null }>,
  ): Promise<Answer | undefined> {
    if (request.get('if-none-match')) return this.of(request, async () => (await read()).answer);
    const response = request.res!;
    const { answer, revision } = await read();
    if (revision !== null) validated(response, this.#tag(request, revision), answer);
    return linked(request, response, answer);
  }

  #tag(request: Request, revision: string): string {
    const { userId, timeZone } = callerOf(request);
    const today = dateInTimeZone(this.clock.now(), timeZone);
    return weakTag([userId, revision, request.originalUrl, wantedTypeOf(request), today, VERSION]);
  }
}
