import { Notice } from '../components/notice.js';
import { Page } from '../layout/document.js';
import { ConnectionState, isUnderWay } from './connection-state.js';
import type { ShownConnection } from './connection-views.js';

interface ConnectionsPageProps {
  views: readonly ShownConnection[];
  /** Whether a connection was just removed. */
  isRemoved: boolean;
}

export function ConnectionsPage({ views, isRemoved }: ConnectionsPageProps) {
  const underWay = views.some(({ sync }) => isUnderWay(sync));
  return (
    <Page
      title="Connections"
      scripts={['htmx']}
      refreshSeconds={underWay ? 10 : null}
      aside={
        <a class="button" href="/connections/new">
          Connect a bank
        </a>
      }
    >
      {isRemoved && <Notice kind="done">The connection was removed.</Notice>}
      {views.length === 0 && <Nothing />}
      <div class="stack">
        {views.map((view) => (
          <ConnectionCard key={view.connection.id} {...view} />
        ))}
      </div>
    </Page>
  );
}

function ConnectionCard(state: ShownConnection) {
  const { id, name, provider } = state.connection;
  const title = state.provider?.texts.title ?? `Unknown provider “${provider}”`;
  return (
    <section class="card" aria-labelledby={`name-${id}`}>
      <div class="card-head">
        <div>
          <h2 id={`name-${id}`}>{name}</h2>
          <p class="quiet small">{title}</p>
        </div>
        <a href={`/connections/${id}`} aria-label={`Manage ${name}`}>
          Manage
        </a>
      </div>
      <ConnectionState {...state} />
    </section>
  );
}

function Nothing() {
  return (
    <section class="card empty">
      <h2>No bank is connected yet</h2>
      <p class="quiet">Connect one, and Tidemark fetches its accounts, transactions and balances automatically.</p>
    </section>
  );
}
