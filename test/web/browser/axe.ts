import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The script itself, for a browser to run. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** What axe finds wrong with a page, each rule with the elements that break it. @param only rules with this tag */
export async function violations(page: Page, only?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async (tag) => {
    // The script above has just defined it.
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } };
    // A tag alone would also run the contrast that few sites have.
    const ofTag = { runOnly: { type: 'tag', values: [tag] }, rules: { 'color-contrast-enhanced': { enabled: false } } };
    // As they run by themselves, and one more. Named beside a tag, it would run with that, too.
    const all = { rules: { 'target-size': { enabled: true } } };
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(tag ? ofTag : all) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, only);
}

/** axe's tag of the rules that look at colors. */
export const COLOR_RULES = 'cat.color';

/**
 * Whether all that the other rules look at is as it was when this was asked before: the elements, where they are, and
 * whether they show.
 */
export function keepsShape(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll('*')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height, element.checkVisibility({ opacityProperty: true, visibilityProperty: true })];
    });
    const seen = globalThis as { shape?: string };
    const before = seen.shape;
    seen.shape = JSON.stringify([document.documentElement.outerHTML, boxes]);
    return seen.shape === before;
  });
}
