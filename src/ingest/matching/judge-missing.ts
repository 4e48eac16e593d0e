import type { SnapshotAccount, SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { findWithdrawn, isPlausible } from './find-withdrawn.js';
import { matchReplacements } from './match-replacements.js';

/** What happened to stored transactions that an answer does not list. All ids are external. */
export interface MissingVerdict {
  /** The rows under other ids with another date or text, by the stored ids. */
  reissued: ReadonlyMap<string, SnapshotTransaction>;
  withdrawn: readonly string[];
  /** The ids of new transactions that supersede withdrawn ones, by the withdrawn ids. */
  superseding: ReadonlyMap<string, string>;
  /** `false`: the answer lacks too much, so it withdraws nothing. */
  isPlausible: boolean;
  /** How many transactions of the covered days are missing without a replacement. */
  missingCount: number;
  /** How many stored transactions the answer still lists. */
  listedCount: number;
}

/**
 * @param missing stored transactions that the answer does not list
 * @param unknown rows of the answer that no stored transaction was matched to
 * @param today in UTC
 */
export function judgeMissing(
  missing: readonly SnapshotTransaction[],
  answer: SnapshotAccount,
  unknown: readonly SnapshotTransaction[],
  today: CalendarDate,
): MissingVerdict {
  const withdrawn = findWithdrawn(missing, answer, today);
  const posted = unknown.filter(({ pending }) => !pending);
  const { reissued, superseding } = matchReplacements(withdrawn, posted);
  const replacedCount = reissued.size + superseding.size;
  const missingCount = withdrawn.length - replacedCount;
  const postedCount = answer.transactions.filter(({ pending }) => !pending).length;
  const listedCount = postedCount - posted.length + replacedCount;
  if (!isPlausible(missingCount, listedCount)) return { ...NOTHING_ENDED, missingCount, listedCount };
  return {
    reissued,
    withdrawn: withdrawn.map(({ externalId }) => externalId).filter((externalId) => !reissued.has(externalId)),
    superseding: new Map([...superseding].map(([externalId, row]) => [externalId, row.externalId])),
    isPlausible: true,
    missingCount,
    listedCount,
  };
}

const NOTHING_ENDED = { reissued: new Map(), withdrawn: [], superseding: new Map(), isPlausible: false } as const;
