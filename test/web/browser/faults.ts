import type { Page } from 'playwright-core';

/** Phones, tablets, and both sides of each width at which the layout changes. */
const WIDTHS = [320, 375, 480, 481, 720, 721, 999, 1000];

/** Where the page would scroll sideways, or cut something off. */
export async function overflowing(page: Page): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    const { needed, lost, outside } = await page.evaluate(lookForFaults);
    if (needed !== width) faults.push({ width, needed });
    if (lost.length > 0) faults.push({ width, lost });
    if (outside.length > 0) faults.push({ width, outside });
  }
  return faults;
}

/**
 * The width that a page needs, what a box that hides its overflow cuts off at its side, and tables wider than their cards.
 * Text for screen readers, and clamped lines, are meant to be cut off.
 */
function lookForFaults(): { needed: number; lost: string[]; outside: string[] } {
  const lost = [...document.querySelectorAll('main *')]
    .filter((box) => getComputedStyle(box).overflowX === 'hidden' && !box.matches('.hidden-text, span.small'))
    .flatMap((box) => {
      const { left, right } = box.getBoundingClientRect();
      const inside = [...box.querySelectorAll('*')].filter((element) => element.checkVisibility());
      return inside.filter((element) => {
        const rect = element.getBoundingClientRect();
        return rect.width > 1 && (rect.right > right + 1 || rect.left < left - 1) && element.textContent !== '';
      });
    });
  const outside = [...document.querySelectorAll('.card table')]
    .filter((table) => table.checkVisibility() && !table.closest('.table-scroll'))
    .filter((table) => {
      const card = table.closest('.card')!;
      const end = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
      return table.getBoundingClientRect().right > end + 1;
    });
  const nameOf = ({ tagName, textContent }: Element) => `${tagName} ${textContent?.slice(0, 60)}`;
  return { needed: document.documentElement.scrollWidth, lost: lost.map(nameOf), outside: outside.map(nameOf) };
}

/** Ids that several elements have, and the first field in error if the focus is not on it. */
export function markupFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    const inError = document.querySelector('[aria-invalid]');
    const unfocused = inError && inError !== document.activeElement ? [inError.id] : [];
    return [...twice.map((id) => `twice: ${id}`), ...unfocused.map((id) => `in error without focus: ${id}`)];
  });
}
