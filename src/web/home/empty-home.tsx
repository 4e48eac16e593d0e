import { ConnectionState, isUnderWay } from '../connections/connection-state.js';
import type { ShownConnection } from '../connections/connection-views.js';
import { usePageContext } from '../components/page-context.js';
import { Document, Page } from '../layout/document.js';

/** Beside a bank; where the person already has accounts, the bank, too. */
export function WaysToAdd({ withBank = false }: { withBank?: boolean }) {
  const links = usePageContext().links.filter(({ place }) => place === 'home');
  return (
    <p class="actions">
      {withBank && <a href="/connections/new">Connect a bank</a>}
      <a href="/accounts/new">Add an account by hand</a>
      {links.map(({ path, text }) => (
        <a key={path} href={path}>
          {text}
        </a>
      ))}
    </p>
  );
}

interface EmptyHomeProps {
  views: readonly ShownConnection[];
  /** Whether there are sandbox banks to try. */
  sandbox: boolean;
}

/** The overview without any account. */
export function EmptyHome({ views, sandbox }: EmptyHomeProps) {
  return views.length > 0 ? <WithoutAccounts views={views} /> : <Welcome sandbox={sandbox} />;
}

/** The first page a newcomer sees. */
function Welcome({ sandbox }: { sandbox: boolean }) {
  return (
    <Document title="Welcome">
      <section class="welcome">
        <h1>Connect your first bank</h1>
        <p class="quiet">
          Tidemark fetches your accounts, works out each day’s balance and keeps everything up to date.
        </p>
        <p class="actions">
          <a class="button" href="/connections/new">
            Connect a bank
          </a>
          {sandbox && (
            <a class="button second" href="/connections/new#sandbox">
              Try it with sandbox banks
            </a>
          )}
        </p>
        <WaysToAdd />
        <section class="card">
          <ol>
            <li>
              <b>Connect</b> with a setup token or an API key, which is stored encrypted and used only to read.
            </li>
            <li>
              <b>Watch the first sync.</b> It takes a few seconds to a few minutes.
            </li>
            <li>
              <b>See your history.</b> One balance per account per day, reconciled to the cent.
            </li>
          </ol>
        </section>
      </section>
    </Document>
  );
}

/** The first sync has delivered no account yet, or all were deleted. */
function WithoutAccounts({ views }: { views: readonly ShownConnection[] }) {
  const underWay = views.some(({ sync }) => isUnderWay(sync));
  const hasSynced = views.some(({ connection }) => connection.last_synced_at !== null);
  return (
    <Page
      title="Overview"
      scripts={['htmx']}
      refreshSeconds={underWay ? 10 : null}
      heading={titleOf(underWay, hasSynced)}
      lead={
        underWay
          ? 'It takes a few seconds to a few minutes. Your accounts appear here when it is done.'
          : `${views.length === 1 ? 'Your bank is' : 'Your banks are'} connected, but there is no account to show.`
      }
      aside={
        <a class="button second" href="/connections">
          Connections
        </a>
      }
    >
      <div class="stack">
        {views.map((view) => (
          <section key={view.connection.id} class="card" aria-label={view.connection.name}>
            <h2>{view.connection.name}</h2>
            <ConnectionState {...view} reloads />
          </section>
        ))}
      </div>
    </Page>
  );
}

function titleOf(underWay: boolean, hasSynced: boolean): string {
  if (underWay) return hasSynced ? 'A sync is under way' : 'Your first sync is under way';
  return hasSynced ? 'No accounts' : 'No accounts yet';
}
