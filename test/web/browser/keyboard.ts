import type { Page } from 'playwright-core';

const MAX_STOPS = 400;

interface Stop {
  name: string;
  shows: boolean;
}

/** What can be used on a page and is not reached with Tab, or out of order, or does not show that it is. */
export async function unreachable(page: Page): Promise<string[]> {
  const wanted = await page.evaluate(markUsable);
  const stops: Stop[] = [];
  const reached = () => new Set(stops.map(({ name }) => name));
  for (let pressed = 0; pressed < MAX_STOPS && reached().size < wanted.length;) {
    // The page itself writes down where it stops: to ask it each time would take as long as the stop. The key is held down,
    // since to let go of it each time takes as long again.
    for (let left = wanted.length - reached().size; left > 0; left--, pressed++) await page.keyboard.down('Tab');
    await page.keyboard.up('Tab');
    stops.push(...(await page.evaluate(takeStops)));
  }
  const shown = new Set(stops.filter(({ shows }) => shows).map(({ name }) => name));
  // They are numbered in the order of the page. Tab begins anywhere and comes round once.
  const order = [...reached()].map((name) => parseInt(name, 10));
  const backwards = order.filter((at, i) => i > 0 && at < order[i - 1]!).length;
  const missed = wanted.filter((name) => !reached().has(name));
  const unshown = [...reached()].filter((name) => !shown.has(name));
  return [
    ...missed.map((name) => `not reached: ${name}`),
    ...unshown.map((name) => `not shown: ${name}`),
    ...(backwards > 1 ? [`out of order: ${order.join(' ')}`] : []),
  ];
}

/**
 * Gives everything that can be used a name to know it by, and has the page write down its stops. Of radio buttons only the
 * chosen one is a stop.
 */
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
  const stops: Stop[] = [];
  document.addEventListener('focusin', ({ target }) => {
    const { dataset } = target as HTMLElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(target as HTMLElement);
    if (dataset.stop) stops.push({ name: dataset.stop, shows: outlineStyle !== 'none' && outlineWidth !== '0px' });
  });
  Object.assign(globalThis, { stops });
  return names;

  function isOtherRadio({ type, checked }: HTMLInputElement): boolean {
    return type === 'radio' && !checked;
  }
}

/** Where the page has stopped since it was last asked. */
function takeStops(): Stop[] {
  return (globalThis as unknown as { stops: Stop[] }).stops.splice(0);
}
