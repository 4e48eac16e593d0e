import type { MergeSuggestion } from '../../balances/accounts/duplicates/merge-suggestions.js';
import { Notice } from '../components/notice.js';
import { Moment } from '../components/when.js';
import type { ShownConnection } from '../connections/connection-views.js';
import { MergeSuggestions } from '../connections/merge-suggestions.js';
import { isUnpaid, stateOf } from '../connections/sync-labels.js';

/** Further connections are only counted: where the network fails, all of them do, and the figures must stay in sight. */
const MAX_SHOWN = 3;

/** The banks whose figures are outdated or incomplete, with the remedy for each; first those that need the person. */
export function UnhealthyConnections({ views }: { views: readonly ShownConnection[] }) {
  const unhealthy = views.filter(needsAttention).sort((a, b) => Number(needsPerson(b)) - Number(needsPerson(a)));
  const more = unhealthy.length - MAX_SHOWN;
  return (
    <>
      {unhealthy.slice(0, MAX_SHOWN).map((view) => (
        <UnhealthyConnection key={view.connection.id} view={view} />
      ))}
      {more > 0 && (
        <Notice kind="warn">
          {more === 1 ? '1 more connection needs' : `${more} more connections need`} attention.{' '}
          <a href="/connections">See what to do</a>
        </Notice>
      )}
      {suggestionsOf(views).map((offers) => (
        <MergeSuggestions key={offers[0]!.disconnected.id} offers={offers} then="home" />
      ))}
    </>
  );
}

function UnhealthyConnection({ view }: { view: ShownConnection }) {
  const { connection, sync } = view;
  const { id, name, last_synced_at: lastSyncedAt } = connection;
  const state = stateOf(connection, sync);
  return (
    <Notice kind={state.look === 'wrong' ? 'wrong' : 'warn'}>
      <b>{name}</b>: {state.text.toLowerCase()}
      {lastSyncedAt ? '. Last synced ' : '. Never synced'}
      {lastSyncedAt && <Moment at={lastSyncedAt} />}.{' '}
      {needsPerson(view) && !isUnpaid(view.problems) ? (
        <a href={`/connections/${id}#credential`}>Reconnect</a>
      ) : (
        <a href="/connections">See what to do</a>
      )}
    </Notice>
  );
}

function needsPerson({ connection }: ShownConnection): boolean {
  return connection.status === 'attention_required';
}

/** A pair of accounts of two connections is suggested by both. */
function suggestionsOf(views: readonly ShownConnection[]): MergeSuggestion[][] {
  const all = views.flatMap(({ mergeSuggestions }) => mergeSuggestions);
  return [...new Map(all.map((offers) => [offers[0]!.disconnected.id, offers])).values()];
}

function needsAttention({ connection, sync, problems }: ShownConnection): boolean {
  const { look } = stateOf(connection, sync);
  // Two connections that list the same account do so at every sync: their pages alone say it.
  if (look === 'warn' && sync?.status === 'partial') return problems.some(({ kind }) => kind !== 'synced_elsewhere');
  return look === 'wrong' || look === 'warn';
}
