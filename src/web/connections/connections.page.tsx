import { Document } from '../layout/document.js';
import { ConnectionState, type ConnectionStateProps, isUnderWay } from './connection-state.js';
import type { ShownConnection } from './connection-views.js';

export function ConnectionsPage({ views, timeZone }: { views: readonly ShownConnection[]; timeZone: string }) {
  const underWay = views.some(({ sync }) => isUnderWay(sync));
  return (
    <Document title="Connections" scripts={['htmx']} refreshSeconds={underWay ? 3 : null}>
      <div class="page-head">
        <h1>Connections</h1>
        <a class="button" href="/connections/new">
          Connect a bank
        </a>
      </div>
      {views.length === 0 && <Nothing />}
      <div class="stack">
        {views.map((view) => (
          <ConnectionCard key={view.connection.id} {...view} timeZone={timeZone} />
        ))}
      </div>
    </Document>
  );
}

function ConnectionCard(state: ConnectionStateProps) {
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
      <p class="quiet">Connect one, and its accounts, transactions and balances come in by themselves from then on.</p>
    </section>
  );
}
