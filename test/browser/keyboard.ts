import type { Page } from 'playwright-core';

const MAX_STOPS = 400;

/** What can be used on a page and is not reached with Tab, or does not show that it is. */
export async function unreachable(page: Page): Promise<string[]> {
  const wanted = await page.evaluate(markUsable);
  const reached = new Set<string>();
  const shown = new Set<string>();
  for (let stop = 0; stop < MAX_STOPS && reached.size < wanted.length; stop++) {
    await page.keyboard.press('Tab');
    const { name, shows } = await page.evaluate(focused);
    if (name) reached.add(name);
    if (name && shows) shown.add(name);
  }
  const missed = wanted.filter((name) => !reached.has(name));
  const unshown = [...reached].filter((name) => !shown.has(name));
  return [...missed.map((name) => `not reached: ${name}`), ...unshown.map((name) => `not shown: ${name}`)];
}

/** Gives everything that can be used a name to know it by. Of radio buttons only the chosen one is a stop. */
function markUsable(): string[] {
  const usable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  const names: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(usable)) {
    if (!element.checkVisibility() || (element instanceof HTMLInputElement && isOtherRadio(element))) continue;
    const text = element.textContent?.trim().slice(0, 40);
    element.dataset.stop = `${names.length} ${element.tagName} ${text || element.id}`;
    names.push(element.dataset.stop);
  }
  (document.activeElement as HTMLElement | null)?.blur();
  return names;

  function isOtherRadio({ type, checked }: HTMLInputElement): boolean {
    return type === 'radio' && !checked;
  }
}

function focused(): { name: string | null; shows: boolean } {
  const element = document.activeElement as HTMLElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return { name: element.dataset.stop ?? null, shows: outlineStyle !== 'none' && outlineWidth !== '0px' };
}
