import type { Page } from 'playwright-core';
import type { Scene } from './scenes.js';
import { visit } from './site.js';

/** A page by its address. */
export function at(path: string): Scene {
  return (page, { url }) => visit(page, url + path);
}

/** The links that scenes follow, by the address they are on: many begin on the same page, which takes long to open. */
const linksSeen = new WeakMap<Page, Map<string, Link[]>>();

interface Link {
  name: string;
  href: string;
}

/** A page that a link leads to, also one in a part that is folded up. @param rest put at the end of its address */
export function behind(path: string, link: RegExp, rest = ''): Scene {
  return async (page, { url }) => {
    const known = linksSeen.get(page)?.get(path);
    const { href } = firstOf(known ?? [], link) ?? firstOf(await readLinks(page, url, path), link)!;
    await visit(page, href + rest);
  };
}

const firstOf = (links: readonly Link[], name: RegExp) => links.find((link) => name.test(link.name));

async function readLinks(page: Page, url: string, path: string): Promise<Link[]> {
  await page.goto(url + path);
  const links = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map((link) => {
      return { name: (link.ariaLabel ?? link.textContent ?? '').trim(), href: link.href };
    }),
  );
  linksSeen.set(page, (linksSeen.get(page) ?? new Map<string, Link[]>()).set(path, links));
  return links;
}

/** With everything shown that can be folded up. */
export function opened(scene: Scene): Scene {
  return async (page, site) => {
    await scene(page, site);
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
  };
}
