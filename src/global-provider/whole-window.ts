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
  const { rows, unreadable, isCut } = answer;
  const halves = isCut ? halvesOf(window, today) : null;
  if (!halves) return { rows, unreadable, leavesGap: isCut };
  const [newer, older] = halves;
  const answers = [await ask(newer), await ask(older)] as const;
  const known = new Set(rows.map(({ externalId }) => externalId));
  // Some servers count what was not asked for: where the halves bring no news, everything was there.
  if (answers.every((half) => half.rows.every(({ externalId }) => known.has(externalId)))) {
    return { rows, unreadable, leavesGap: false };
  }
  const parts = [await split(newer, answers[0], today, ask), await split(older, answers[1], today, ask)];
  return {
    rows: [rows, ...parts.map((part) => part.rows)].flat(),
    unreadable: parts.reduce((sum, part) => sum + part.unreadable, 0),
    leavesGap: parts.some(({ leavesGap }) => leavesGap),
  };
}
