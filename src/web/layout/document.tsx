import type { ComponentChildren } from 'preact';
import { DEFAULT_PREFERENCES, type Theme } from '../../auth/preferences.js';
import { VERSION } from '../../platform/config/version.js';
import { usePageContext, useTimeZone } from '../components/page-context.js';
import { Icon, type IconName, Logo } from '../components/icons.js';
import type { PageLink } from '../../platform/module.js';
import type { UnhealthyConnection } from '../../sync/overview/connection-health.queries.js';
import { ButtonForm } from '../components/form.js';
import { momentText } from '../components/when.js';
import { ASSETS, type ScriptName } from './asset-list.js';

// htmx's own indicators are off, a failed request must not replace what is shown, and what a person has opened stays open.
const HTMX = JSON.stringify({
  includeIndicatorCSS: false,
  noSwap: [204, 304, '4xx', '5xx'],
  morphIgnore: ['data-htmx-powered', 'open'],
});

interface DocumentProps {
  title: string;
  scripts?: readonly ScriptName[];
  /** Seconds until a page without text fields reloads where there are no scripts, for work in progress. */
  refreshSeconds?: number | null;
  children: ComponentChildren;
}

/** The HTML document around every page. */
export function Document({ title, scripts = [], refreshSeconds = null, children }: DocumentProps) {
  const { session } = usePageContext();
  const { theme } = session?.preferences ?? DEFAULT_PREFERENCES;
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · Tidemark`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="htmx-config" content={HTMX} />
        {theme !== 'dark' && <meta name="theme-color" media={mediaOf(theme)} content="#f6f8f7" />}
        {theme !== 'light' && <meta name="theme-color" media={mediaOf(theme, 'dark')} content="#0e1413" />}
        <link rel="preload" href={ASSETS.font.url} as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href={ASSETS.style.url} />
        <link rel="icon" type="image/svg+xml" href={ASSETS.icon.url} />
        <link rel="apple-touch-icon" href={ASSETS.homeIcon.url} />
        <link rel="manifest" href={ASSETS.manifest.url} />
        {refreshSeconds !== null && (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        {['page' as const, ...scripts].map((name) => (
          <script key={name} src={ASSETS[name].url} defer />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" href="/">
            <Logo />
            <span>Tidemark</span>
          </a>
          {session && <Navigation />}
        </header>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <Footer />
      </body>
    </html>
  );
}

interface PageProps extends DocumentProps {
  /** The page that this one belongs to. */
  back?: { href: string; text: string };
  /** The same as the title of the document, unless given. */
  heading?: ComponentChildren;
  /** A sentence below the heading. */
  lead?: ComponentChildren;
  /** What stands beside the heading. */
  aside?: ComponentChildren;
  /** Whether it is read and filled in from top to bottom, in one column. */
  isReading?: boolean;
}

/** A page below its heading. The name of an account or connection may run from right to left. */
export function Page({ back, heading, lead, aside, isReading = false, children, ...document }: PageProps) {
  return (
    <Document {...document}>
      {back && (
        <a class="back" href={back.href}>
          ← <bdi>{back.text}</bdi>
        </a>
      )}
      <div class="page-head">
        <div>
          <h1>{heading ?? document.title}</h1>
          {lead && <p class="quiet">{lead}</p>}
        </div>
        {aside}
      </div>
      {isReading ? <div class="reading stack">{children}</div> : children}
    </Document>
  );
}

/** A chosen theme overrides the preference of the device. */
function mediaOf(theme: Theme, scheme: 'light' | 'dark' = 'light'): string | undefined {
  return theme === 'system' ? `(prefers-color-scheme: ${scheme})` : undefined;
}

/** Version, license and source, which section 13 of the AGPL requires for every user of the service. */
function Footer() {
  const { sourceUrl } = usePageContext();
  return (
    <footer class="foot">
      <span>Tidemark {VERSION}</span>
      <a href="/license" rel="license">
        AGPL-3.0
      </a>
      {sourceUrl && (
        <a href={sourceUrl} rel="noreferrer">
          Source code
        </a>
      )}
    </footer>
  );
}

const CONNECTIONS = '/connections';

interface Place {
  href: string;
  text: string;
  icon: IconName;
  here: Pick<RegExp, 'test'>;
}

const PLACES: readonly Place[] = [
  { href: '/', text: 'Overview', icon: 'overview', here: /^\/($|account|transactions)/ },
  { href: CONNECTIONS, text: 'Connections', icon: 'bank', here: /^\/connections/ },
  { href: '/keys', text: 'API keys', icon: 'key', here: /^\/keys/ },
  { href: '/settings', text: 'Settings', icon: 'settings', here: /^\/settings/ },
];

function Navigation() {
  const { path, unhealthy, links } = usePageContext();
  const added = links.filter(({ place }) => place === 'navigation').map(placeOf);
  const timeZone = useTimeZone();
  const trouble = unhealthy.map((connection) => troubleText(connection, timeZone)).join(' ');
  return (
    <>
      <nav class="places" aria-label="Main">
        {[...PLACES.slice(0, -1), ...added, ...PLACES.slice(-1)].map(({ href, text, icon, here }) => {
          const alarm = href === CONNECTIONS ? trouble : '';
          return (
            <a
              key={href}
              href={href}
              title={alarm || undefined}
              aria-current={here.test(path) ? 'page' : undefined}
              class={alarm ? 'alarm' : undefined}
            >
              <Icon name={icon} />
              <span>{text}</span>
              {alarm && <span class="hidden-text">: {alarm}</span>}
            </a>
          );
        })}
      </nav>
      <ButtonForm action="/sign-out" look="plain">
        Sign out
      </ButtonForm>
    </>
  );
}

/** Of a module. */
function placeOf({ path, text }: PageLink): Place {
  const here = (shown: string) => shown === path || shown.startsWith(`${path}/`);
  return { href: path, text, icon: 'module', here: { test: here } };
}

/** The bank, since when, and the remedy. */
function troubleText({ name, needsPerson, isPartial, lastSyncedAt }: UnhealthyConnection, timeZone: string): string {
  if (isPartial) return `${name} brings nothing new of some accounts. See what to do.`;
  const since =
    lastSyncedAt === null ? 'has never synced' : `has not synced since ${momentText(lastSyncedAt, timeZone)}`;
  return `${name} ${since}.${needsPerson ? ' It needs your attention.' : ' See what to do.'}`;
}
