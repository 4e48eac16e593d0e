import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
} as const;

type Extension = keyof typeof TYPES;

export interface Asset {
  /** Contains a hash of the content, so the content never changes. */
  url: string;
  type: string;
  body: Buffer;
}

function asset(name: string, extension: Extension, body: Buffer): Asset {
  const digest = hash('sha256', body, 'base64url').slice(0, 10);
  return { url: `/assets/${name}.${digest}.${extension}`, type: TYPES[extension], body };
}

/** For other assets, beside which it is: a proxy may serve all of them under another path. */
const nameOf = ({ url }: Asset) => url.slice(url.lastIndexOf('/') + 1);

const own = (file: string) => readFileSync(new URL(`../assets/${file}`, import.meta.url));
const ofPackage = (path: string) => readFileSync(require.resolve(path));

// Cut from the font of its package to what the pages use: docs/inside/decisions.md says how.
const font = asset('inter', 'woff2', own('inter.woff2'));

const STYLES = ['base', 'layout', 'components', 'forms', 'charts', 'tables', 'pages', 'print'];

const style = STYLES.map((name) => String(own(`${name}.css`)))
  .join('\n')
  .replace('inter.woff2', nameOf(font));

const homeIcons = [180, 192, 512].map((size) => ({
  size,
  icon: asset(`icon-${size}`, 'png', own(`icon-${size}.png`)),
}));

/** The icon on a phone's home screen. */
const manifest = JSON.stringify({
  name: 'Tidemark',
  short_name: 'Tidemark',
  start_url: '../',
  display: 'standalone',
  background_color: '#f6f8f7',
  theme_color: '#0b6b62',
  icons: homeIcons.map(({ size, icon }) => ({
    src: nameOf(icon),
    sizes: `${size}x${size}`,
    type: icon.type,
    purpose: 'any maskable',
  })),
});

/** Everything that a page may load. Nothing comes from another host. */
export const ASSETS = {
  font,
  style: asset('tidemark', 'css', Buffer.from(style)),
  icon: asset('icon', 'svg', own('icon.svg')),
  homeIcon: homeIcons[0]!.icon,
  manifest: asset('tidemark', 'webmanifest', Buffer.from(manifest)),
  htmx: asset('htmx', 'js', ofPackage('htmx.org/dist/htmx.min.js')),
  chart: asset('chart', 'js', own('chart.mjs')),
  page: asset('page', 'js', own('page.mjs')),
};

/** Including those named in the manifest. */
export const ALL_ASSETS: readonly Asset[] = [...Object.values(ASSETS), ...homeIcons.map(({ icon }) => icon)];

export type ScriptName = 'htmx' | 'chart' | 'page';
