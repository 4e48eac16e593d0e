import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The script itself, for a browser to run. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** What axe finds wrong with a page, each rule with the elements that break it. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    // The script above has just defined it.
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } };
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      // Not among the rules that run by themselves.
      rules: { 'target-size': { enabled: true } },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
