import type { EntityManager } from '@mikro-orm/postgresql';
import { type PlannedEvent, planEvents, readLog } from '../../database/change-log/plan-events.js';
import type { EventType } from '../../platform/module.js';
import { readLogState } from '../change-feed/change-log.js';
import { feedCursorText } from '../change-feed/cursor.js';

/** What has happened after a revision, and how far that reaches; later events may follow. */
export interface EventsAfter<Type extends EventType = EventType> {
  events: readonly PlannedEvent<Type>[];
  upto: number;
  /** The log no longer reaches back so far: anything may have happened up to `upto`. */
  isExpired: boolean;
  /** For `GET /api/v1/changes`, which then lists everything after a revision. The text is another one after a restore. */
  cursorAfter: (revision: number) => string;
}

/** Reads a bounded part of a person's change log. @param em with a transaction */
export async function readEvents<Type extends EventType>(
  em: EntityManager,
  userId: string,
  after: number,
  types: ReadonlySet<Type>,
): Promise<EventsAfter<Type>> {
  const parts = await readLog(em, userId, after);
  // Read after the log, so that records removed meanwhile are noticed.
  const { head, floor, seal } = await readLogState(em, userId);
  const cursorAfter = (done: number) => feedCursorText(seal, { done, page: null });
  if (floor > after) return { events: [], upto: head, isExpired: true, cursorAfter };
  return { events: planEvents(parts, types), upto: parts.at(-1)?.revision ?? after, isExpired: false, cursorAfter };
}

/** How far a person's change log is, and the cursor of whoever knows all of it. @param em with a transaction */
export async function newestRevision(em: EntityManager, userId: string): Promise<{ revision: number; cursor: string }> {
  const { head, seal } = await readLogState(em, userId);
  return { revision: head, cursor: feedCursorText(seal, { done: head, page: null }) };
}
