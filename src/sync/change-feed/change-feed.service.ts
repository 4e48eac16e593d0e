import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ChangeKind } from '../../database/change-log/change.js';
import { type LogState, readLogState } from './change-log.js';
import { type Cursor, type CursorPage, feedCursorText, parseFeedCursor } from './cursor.js';
import { atOneMoment } from '../../database/one-moment.js';
import { DomainError, validationFailed } from '../../platform/domain-error.js';
import { LATEST } from './change-feed.query.js';
import type { ChangeCollection, ChangedPart } from './change-feed.response.js';
import { ChangedPartsQueries } from './changed-parts.queries.js';
import { PartReader } from './part-reader.js';
import { hasNoDayLeft, pageStartOf, partsFrom, partsOfAccounts, type PlannedPart } from './plan-parts.js';

interface WantedChanges {
  userId: string;
  /** Only records of these accounts; `null`: of all. */
  accountIds: readonly string[] | null;
  /** `null`: from the beginning. */
  cursor: string | null;
  kinds: readonly ChangeKind[];
  limit: number;
}

/** The range of revisions that an answer reads from. */
interface Source {
  /** `null`: everything, regardless of the log. */
  done: number | null;
  upto: number;
  page: CursorPage | null;
}

/**
 * Keeps a client's copy of a person's records up to date. An answer is one snapshot: once nothing is left, the copy
 * equals the lists at that moment. A record that changes while several answers are read has a later revision and is
 * sent again.
 */
@Injectable()
export class ChangeFeedService {
  constructor(
    private readonly em: EntityManager,
    private readonly changed: ChangedPartsQueries,
    private readonly reader: PartReader,
  ) {}

  /** @throws DomainError `cursor_expired`; `validation_failed` for a text that is no cursor */
  read(wanted: WantedChanges): Promise<ChangeCollection> {
    return atOneMoment(this.em, async (em) => {
      // The log is read before the records. Both are read in one snapshot, but this order would be right without it, too.
      const state = await readLogState(em, wanted.userId);
      if (wanted.cursor === LATEST) return toCollection(state.seal, [], { done: state.head, page: null });
      const source = sourceOf(wanted.cursor, state);
      const parts = await this.#plan(wanted, source);
      const { changes, next } = await this.#fill(wanted, parts);
      const cursor: Cursor = next
        ? { done: source.done, page: { ...next, upto: source.upto } }
        : { done: source.upto, page: null };
      return toCollection(state.seal, changes, cursor, next !== null || source.upto < state.head);
    });
  }

  async #plan({ userId, accountIds, kinds }: WantedChanges, { done, upto, page }: Source) {
    const all =
      done === null
        ? await this.changed.listWhole(userId, kinds)
        : await this.changed.listChanged({ userId, accountIds, after: done, upto }, kinds);
    const seen = accountIds ? partsOfAccounts(all, accountIds) : all;
    return (page ? partsFrom(seen, page) : seen).filter((part) => !hasNoDayLeft(part));
  }

  /** @returns as many parts as fit, and where to continue; `null`: that was all */
  async #fill({ userId, accountIds, limit }: WantedChanges, parts: readonly PlannedPart[]) {
    const changes: ChangedPart[] = [];
    let room = limit;
    for (const part of parts) {
      if (room <= 0) return { changes, next: pageStartOf(part) };
      const { parts: read, size, leftAfter } = await this.reader.read({ userId, accountIds }, part, room);
      changes.push(...read);
      room -= size;
      if (leftAfter !== null) return { changes, next: { ...pageStartOf(part), after: leftAfter } };
    }
    return { changes, next: null };
  }
}

function sourceOf(text: string | null, { head, floor, seal }: LogState): Source {
  if (text === null) return { done: null, upto: head, page: null };
  const cursor = parseFeedCursor(text, seal);
  if (!cursor || (cursor.done === null && !cursor.page)) {
    throw validationFailed(['cursor must be one that this route returned, or `latest`']);
  }
  const { done, page, isForeign } = cursor;
  const known = [done ?? page!.upto, page?.upto ?? done!];
  if (isForeign || known.some((revision) => revision < floor || revision > head)) throw cursorExpired();
  return { done, upto: page?.upto ?? head, page };
}

function cursorExpired(): DomainError {
  return new DomainError(
    'cursor_expired',
    'The changes since this cursor are no longer stored. Start again with an empty copy and without a cursor.',
  );
}

function toCollection(seal: string, changes: ChangedPart[], cursor: Cursor, hasMore = false): ChangeCollection {
  return { changes, cursor: feedCursorText(seal, cursor), has_more: hasMore };
}
