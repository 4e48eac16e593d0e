import { CHROMIUM, launchChromium } from '../../test/web/browser/chromium.js';
import { median } from '../median.js';

const VISITS = 10;
const LOOKS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** How long a browser takes from the request to the last byte and to the first paint, and how high the page is. */
export async function paints(url: string, token: string, paths: readonly string[]): Promise<void> {
  if (!CHROMIUM) return console.log('\nNo Chromium was found, so nothing was painted.');
  const browser = await launchChromium();
  try {
    console.log(`\n${'in Chromium, seconds from the request'.padEnd(39)}last byte  first paint  screens high`);
    for (const viewport of LOOKS) {
      const context = await browser.newContext({ viewport });
      await context.addCookies([{ name: 'tidemark', value: token, url }]);
      const page = await context.newPage();
      for (const path of paths) {
        const seen = { lastByte: [] as number[], paint: [] as number[], screens: 0 };
        for (let visit = 0; visit < VISITS; visit++) {
          await page.goto(url + path);
          await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
          const { lastByte, paint, height } = await page.evaluate(measured);
          seen.lastByte.push(lastByte / 1000);
          seen.paint.push(paint / 1000);
          seen.screens = height / viewport.height;
        }
        const figures = [median(seen.lastByte).toFixed(2), median(seen.paint).toFixed(2), seen.screens.toFixed(1)];
        const name = `${path} at ${viewport.width} pixels`;
        console.log(name.padEnd(35) + figures.map((figure) => figure.padStart(13)).join(''));
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

function measured() {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return {
    lastByte: navigation!.responseEnd,
    paint: paint!.startTime,
    height: document.documentElement.scrollHeight,
  };
}
