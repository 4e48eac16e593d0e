import type { Window, WindowRows } from '../bank-provider/transaction-history.js';
import type { CalendarDate } from '../time/calendar-date.js';
import type { AnswerRows } from './window-rows.js';
import { halvesOf } from './windows.js';

type Ask = (window: Window) => Promise<AnswerRows>;

/**
 * All transactions of a window. The provider has no pages: an answer that says that there are more is asked for again in
 * halves. A cursor, should there ever be one, would be followed here.
 */
export async function wholeWindow(window: Window, today: CalendarDate, ask: Ask): Promise<WindowRows> {
  return split(window, await ask(window), today, ask);
}

async function split(window: Window, answer: AnswerRows, today: CalendarDate, ask: Ask): Promise<WindowRows> {
  const { rows, unreadable } = answer;
  const halves = isCut(answer) ? halvesOf(window, today) : null;
  if (!halves) return { rows, unreadable, leavesGap: isCut(answer) };
  const [newer, older] = halves;
  const answers = [await ask(newer), await ask(older)] as const;
  if (!bringsNews(answer, answers) && !isCutAgain(answer, answers)) return { rows, unreadable, leavesGap: false };
  const parts = [await split(newer, answers[0], today, ask), await split(older, answers[1], today, ask)];
  return {
    rows: [rows, ...parts.map((part) => part.rows)].flat(),
    unreadable: parts.reduce((sum, part) => sum + part.unreadable, 0),
    leavesGap: parts.some(({ leavesGap }) => leavesGap),
  };
}

function isCut({ total, count }: AnswerRows): boolean {
  return total > count;
}

function bringsNews({ rows }: AnswerRows, halves: readonly AnswerRows[]): boolean {
  const known = new Set(rows.map(({ externalId }) => externalId));
  return halves.some((half) => half.rows.some(({ externalId }) => !known.has(externalId)));
}

/**
 * All that was handed out may lie in one half, which is then cut at the same length. Some servers merely count what was
 * not asked for: then the totals of the halves do not make that of the whole, or the halves are cut shorter.
 */
function isCutAgain({ total, count }: AnswerRows, halves: readonly AnswerRows[]): boolean {
  const isSameCount = halves.reduce((sum, half) => sum + half.total, 0) === total;
  return isSameCount && halves.some((half) => isCut(half) && half.count >= count);
}
