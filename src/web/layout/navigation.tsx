import type { UnhealthyConnection } from '../../sync/overview/connection-health.queries.js';
import { ButtonForm } from '../components/form.js';
import { usePageContext, useTimeZone } from '../components/page-context.js';
import { Icon, type IconName } from '../components/icons.js';
import { momentText } from '../components/when.js';

const CONNECTIONS = '/connections';

const PLACES: readonly { href: string; text: string; icon: IconName; here: RegExp }[] = [
  { href: '/', text: 'Overview', icon: 'overview', here: /^\/($|accounts|transactions)/ },
  { href: CONNECTIONS, text: 'Connections', icon: 'bank', here: /^\/connections/ },
  { href: '/keys', text: 'API keys', icon: 'key', here: /^\/keys/ },
  { href: '/settings', text: 'Settings', icon: 'settings', here: /^\/settings/ },
];

export function Navigation() {
  const { path, unhealthy } = usePageContext();
  const timeZone = useTimeZone();
  const trouble = unhealthy.map((connection) => troubleText(connection, timeZone)).join(' ');
  return (
    <>
      <nav class="places" aria-label="Main">
        {PLACES.map(({ href, text, icon, here }) => {
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

/** The bank, since when, and the remedy. */
function troubleText({ name, needsPerson, lastSyncedAt }: UnhealthyConnection, timeZone: string): string {
  const since =
    lastSyncedAt === null ? 'has never synced' : `has not synced since ${momentText(lastSyncedAt, timeZone)}`;
  return `${name} ${since}.${needsPerson ? ' It needs your attention.' : ' See what to do.'}`;
}
