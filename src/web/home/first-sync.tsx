import { ConnectionState, isUnderWay } from '../connections/connection-state.js';
import type { ShownConnection } from '../connections/connection-views.js';
import { Page } from '../layout/document.js';

/** The overview without any account: while the first sync has delivered none yet, or all were deleted. */
export function FirstSync({ views }: { views: readonly ShownConnection[] }) {
  const underWay = views.some(({ sync }) => isUnderWay(sync));
  const hasSynced = views.some(({ connection }) => connection.last_synced_at !== null);
  return (
    <Page
      title="Overview"
      scripts={['htmx']}
      refreshSeconds={underWay ? 3 : null}
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
