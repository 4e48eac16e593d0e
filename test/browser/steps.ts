import type { Scene } from './scenes.js';
import { hrefOf, visit } from './site.js';

/** A page by its address. */
export function at(path: string): Scene {
  return (page, { url }) => visit(page, url + path);
}

/** A page that a link leads to. @param rest put at the end of its address */
export function behind(path: string, link: RegExp, rest = ''): Scene {
  return async (page, { url }) => {
    await page.goto(url + path);
    await visit(page, url + (await hrefOf(page, link)) + rest);
  };
}

/** With everything shown that can be folded up. */
export function opened(scene: Scene): Scene {
  return async (page, site) => {
    await scene(page, site);
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
  };
}
