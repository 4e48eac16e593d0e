import { Notice } from '../components/notice.js';
import { Moment } from '../components/when.js';
import type { ShownConnection } from '../connections/connection-views.js';
import { stateOf } from '../connections/sync-words.js';

interface ConnectionHealthProps {
  views: readonly ShownConnection[];
  timeZone: string;
}

/** Names the banks whose figures on this page are out of date or incomplete, and what to do about each. */
export function ConnectionHealth({ views, timeZone }: ConnectionHealthProps) {
  return (
    <>
      {views.filter(needsAttention).map((view) => (
        <UnhealthyConnection key={view.connection.id} view={view} timeZone={timeZone} />
      ))}
      {views.some(({ mergeSuggestions }) => mergeSuggestions.length > 0) && (
        <Notice kind="warn">
          Some accounts may be listed twice, and count twice here.{' '}
          <a href="/connections">Merge or keep them separate</a>
        </Notice>
      )}
    </>
  );
}

function UnhealthyConnection({ view, timeZone }: { view: ShownConnection; timeZone: string }) {
  const { connection, sync } = view;
  const { id, name, last_synced_at: lastSyncedAt } = connection;
  const state = stateOf(connection, sync);
  return (
    <Notice kind={state.look === 'wrong' ? 'wrong' : 'warn'}>
      <b>{name}</b>: {state.text.toLowerCase()}
      {lastSyncedAt ? '. Last synced ' : '. Never synced'}
      {lastSyncedAt && <Moment at={lastSyncedAt} timeZone={timeZone} />}.{' '}
      {connection.status === 'attention_required' ? (
        <a href={`/connections/${id}#credential`}>Reconnect</a>
      ) : (
        <a href="/connections">See what to do</a>
      )}
    </Notice>
  );
}

function needsAttention({ connection, sync }: ShownConnection): boolean {
  return ['wrong', 'warn'].includes(stateOf(connection, sync).look);
}
