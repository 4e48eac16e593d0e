import { ConnectionState, isUnderWay } from '../connections/connection-state.js';
import type { ShownConnection } from '../connections/connection-views.js';
import { Document } from '../layout/document.js';

/** The overview while the first sync has delivered no account yet. */
export function FirstSync({ views }: { views: readonly ShownConnection[] }) {
  const underWay = views.some(({ sync }) => isUnderWay(sync));
  const title = views.some(({ sync }) => sync?.status === 'running')
    ? 'Your first sync is running'
    : 'Your first sync is about to start';
  return (
    <Document title="Overview" scripts={['htmx']} refreshSeconds={underWay ? 3 : null}>
      <div class="page-head">
        <div>
          <h1>{underWay ? title : 'No accounts yet'}</h1>
          <p class="quiet">
            {underWay
              ? 'It takes a few seconds to a few minutes. Your accounts appear here when it is done.'
              : `${views.length === 1 ? 'Your bank is' : 'Your banks are'} connected, but no account has been synced.`}
          </p>
        </div>
        <a class="button second" href="/connections">
          Connections
        </a>
      </div>
      <div class="stack">
        {views.map((view) => (
          <section key={view.connection.id} class="card" aria-label={view.connection.name}>
            <h2>{view.connection.name}</h2>
            <ConnectionState {...view} />
          </section>
        ))}
      </div>
    </Document>
  );
}
