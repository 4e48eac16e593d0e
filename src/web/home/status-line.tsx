import type { AccountRow } from '../../balances/accounts/account.response.js';
import type { MergeSuggestion } from '../../balances/accounts/duplicates/merge-suggestions.js';
import { currencyCode } from '../../platform/money/currency.js';
import { type CalendarDate, DAY_MS, dateInTimeZone } from '../../platform/time/calendar-date.js';
import type { ConnectionHealth } from '../../sync/overview/connection-health.queries.js';
import { numberText } from '../components/money.js';
import { Names, namesOf } from '../components/names.js';
import { useTimeZone } from '../components/page-context.js';
import { Day, Moment, Time } from '../components/when.js';
import type { ShownConnection } from '../connections/connection-views.js';
import { MergeSuggestions } from '../connections/merge-suggestions.js';
import { groupProblems, SiteLink } from '../connections/problem-list.js';
import { isUnpaid, stateOf } from '../connections/sync-labels.js';

interface StatusLineProps {
  accounts: readonly AccountRow[];
  health: ConnectionHealth;
  /** Of all connections, if one may have trouble. */
  views: readonly ShownConnection[];
  now: Date;
  today: CalendarDate;
}

/** Further connections are only counted: where the network fails, all of them do, and the figures must stay in sight. */
const MAX_SHOWN = 3;

/** A consent that ends later than that is only told. */
const URGENT_MS = 7 * DAY_MS;

/** Whether all is well, in one line; otherwise what is not, since when, and the one thing to do; first what needs the person. */
export function StatusLine({ accounts, health, views, now, today }: StatusLineProps) {
  const troubled = views.filter(needsAttention).sort((a, b) => Number(needsPerson(b)) - Number(needsPerson(a)));
  const more = troubled.length - MAX_SHOWN;
  const { nextSyncAt, ending } = health;
  const names = namesOf(accounts);
  const isUrgent = troubled.length > 0 || ending.some(({ until }) => until.getTime() < now.getTime() + URGENT_MS);
  return (
    <section class={`card status ${isUrgent ? 'warn' : ''}`} aria-label="Status" role="status">
      <p>
        <b>{connectionsText(health, troubled.length)}</b> <span class="quiet">{freshText(accounts, today)}</span>
        {nextSyncAt && nextSyncAt > now && (
          <span class="quiet">
            {' · next '}
            <Time at={nextSyncAt} today={today} />
          </span>
        )}
      </p>
      {troubled.slice(0, MAX_SHOWN).map((view) => (
        <Trouble key={view.connection.id} view={view} accounts={accounts} names={names} />
      ))}
      {ending.map((one) => (
        <Ending key={one.id} {...one} />
      ))}
      {more > 0 && (
        <p>
          {more === 1 ? '1 more connection needs' : `${more} more connections need`} attention.{' '}
          <a href="/connections">See what to do</a>
        </p>
      )}
    </section>
  );
}

/** Whether accounts are the same, below the figures: a phone shows nothing beside so long a question. */
export function AccountQuestions({ views }: Pick<StatusLineProps, 'views'>) {
  return suggestionsOf(views).map((offers) => (
    <MergeSuggestions key={offers[0]!.disconnected.id} offers={offers} then="home" />
  ));
}

/** A connection may bring several banks. */
function connectionsText({ count, newCount }: ConnectionHealth, troubled: number): string {
  if (count === 0) return 'No bank is connected';
  const rest = count - troubled - newCount;
  if (rest === count)
    return count === 1 ? 'Your connection is up to date' : `All ${numberText(count)} connections are up to date`;
  const first = newCount > 0 ? `, ${numberText(newCount)} is synced for the first time` : '';
  if (count === 1)
    return newCount > 0 ? 'Your connection is synced for the first time' : 'Your connection is not up to date';
  return `${numberText(rest)} of ${numberText(count)} connections are up to date${first}`;
}

/** How many of the accounts have a balance of the newest day of all. */
function freshText(accounts: readonly AccountRow[], today: CalendarDate) {
  const dates = accounts
    .filter(({ connection_id: id, closed_on: closedOn }) => id !== null && closedOn === null)
    .filter(({ currency }) => currencyCode(currency) !== null)
    .map(({ balance_date: date }) => date ?? '');
  const newest = dates.toSorted().at(-1);
  if (!newest) return null;
  const fresh = dates.filter((date) => date >= newest).length;
  return (
    <>
      {' · '}
      {numberText(fresh)} of {numberText(dates.length)} connected {dates.length === 1 ? 'account' : 'accounts'} as of{' '}
      {newest >= today ? 'today' : <Day date={newest} />}
    </>
  );
}

interface TroubleProps {
  view: ShownConnection;
  accounts: readonly AccountRow[];
  names: ReturnType<typeof namesOf>;
}

/** The bank, what is wrong, since when, and the one thing to do. */
function Trouble({ view, accounts, names }: TroubleProps) {
  const { connection, sync, problems, provider, accountNames } = view;
  const { id, name, last_synced_at: lastSyncedAt } = connection;
  const [problem] = groupProblems(problems.filter(isTrouble), accountNames);
  const concerned = new Set(problem?.findings[0]?.accountIds);
  if (sync?.status === 'partial' && !needsPerson(view) && problem && concerned.size > 0) {
    const shown = accounts.filter((account) => concerned.has(account.id));
    const oldest = shown.flatMap(({ balance_date: date }) => date ?? []).sort()[0];
    return (
      <p>
        <b>
          <Names of={shown.map(({ id, name }) => ({ name: names.get(id) ?? name }))} />
        </b>
        {oldest && ' as of '}
        {oldest && <Day date={oldest} />}: {problem.findings[0]!.message}{' '}
        {provider && problem.kind === 'account_failed' && <SiteLink provider={provider} />}{' '}
        <a href="/connections">See what to do</a>
      </p>
    );
  }
  return (
    <p>
      <b>{name}</b>: {stateOf(connection, sync).text.toLowerCase()}
      {lastSyncedAt ? '. Last synced ' : '. Never synced'}
      {lastSyncedAt && <Moment at={lastSyncedAt} />}.{' '}
      {needsPerson(view) && !isUnpaid(problems) ? (
        <a href={`/connections/${id}#credential`}>Reconnect</a>
      ) : (
        <a href="/connections">See what to do</a>
      )}
    </p>
  );
}

/** Renewed in time, nothing is missing. */
function Ending({ id, name, until }: ConnectionHealth['ending'][number]) {
  return (
    <p>
      <b>{name}</b> asks for a new sign-in by <Day date={dateInTimeZone(until, useTimeZone())} />.{' '}
      <a href={`/connections/${id}#credential`}>Renew</a>
    </p>
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

/** Two connections that list the same account do so at every sync: their pages alone say it. */
function isTrouble({ kind, severity }: ShownConnection['problems'][number]): boolean {
  return severity === 'failure' && kind !== 'synced_elsewhere';
}

function needsAttention({ connection, sync, problems }: ShownConnection): boolean {
  const { look } = stateOf(connection, sync);
  if (look === 'warn' && sync?.status === 'partial') return problems.some(isTrouble);
  return look === 'wrong' || look === 'warn';
}
