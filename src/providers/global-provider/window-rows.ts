import type { SnapshotRequest } from '../bank-provider.js';
import { halvesOf } from '../feed/windows.js';
import type { Window, WindowRows } from '../transaction-history.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** The transactions of one answer. */
export interface AnswerRows extends Required<Omit<WindowRows, 'leavesGap' | 'unsupported'>> {
  /** How many the answer has, wanted or not. */
  count: number;
  /** How many the provider has, as the answer says. */
  total: number;
}

type FetchWindow = (window: Window, includePending: boolean) => Promise<AnswerRows>;

/**
 * Fetches all transactions of a window. The provider has no pages, so the halves of the window are fetched when an
 * answer says that it is cut. Some servers count pending transactions that they were not asked for, so these are fetched
 * along first.
 */
export async function wholeWindow(
  window: Window,
  { today, includePending }: Pick<SnapshotRequest, 'today' | 'includePending'>,
  fetchWindow: FetchWindow,
): Promise<WindowRows> {
  const fetchAll = (part: Window) => fetchWindow(part, true);
  const answer = await fetchWindow(window, includePending);
  const mayHide = isCut(answer) && !includePending;
  return split(window, mayHide ? await fetchAll(window) : answer, today, fetchAll);
}

async function split(
  window: Window,
  answer: AnswerRows,
  today: CalendarDate,
  fetchWindow: (window: Window) => Promise<AnswerRows>,
): Promise<WindowRows> {
  const { rows, unreadable, foreign } = answer;
  const halves = isCut(answer) ? halvesOf(window, today) : null;
  if (!halves) return { rows, unreadable, foreign, leavesGap: isCut(answer) };
  const leaveOutToo = (other: Pick<WindowRows, 'unreadable' | 'foreign'>) => {
    unreadable.merge(other.unreadable);
    if (other.foreign) foreign.merge(other.foreign);
  };
  const [newer, older] = halves;
  const answers = [await fetchWindow(newer), await fetchWindow(older)] as const;
  for (const half of answers) leaveOutToo(half);
  if (!hasNewRows(answer, answers) && !isCutAgain(answer, answers)) {
    return { rows, unreadable, foreign, leavesGap: false };
  }
  const parts = [
    await split(newer, answers[0], today, fetchWindow),
    await split(older, answers[1], today, fetchWindow),
  ];
  for (const part of parts) leaveOutToo(part);
  return {
    rows: [rows, ...parts.map((part) => part.rows)].flat(),
    unreadable,
    foreign,
    leavesGap: parts.some(({ leavesGap }) => leavesGap),
  };
}

/** A list is not cut down to nothing: then the total counts something else. */
function isCut({ total, count }: AnswerRows): boolean {
  return count > 0 && total > count;
}

function hasNewRows({ rows }: AnswerRows, halves: readonly AnswerRows[]): boolean {
  const known = new Set(rows.map(({ externalId }) => externalId));
  return halves.some((half) => half.rows.some(({ externalId }) => !known.has(externalId)));
}

/**
 * All returned rows may lie in one half, which is then cut at the same length. Some servers only count too many: then
 * the totals of the halves do not add up to that of the whole, or the halves are cut shorter.
 */
function isCutAgain({ total, count }: AnswerRows, halves: readonly AnswerRows[]): boolean {
  const isSameCount = halves.reduce((sum, half) => sum + half.total, 0) === total;
  return isSameCount && halves.some((half) => isCut(half) && half.count >= count);
}
