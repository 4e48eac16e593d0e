import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import type { ConnectionResponse } from '../../sync/overview/connection.response.js';
import type { SyncResponse } from '../../sync/runs/sync.response.js';
import { Names } from '../components/names.js';
import { useTimeZone } from '../components/page-context.js';
import { Pager } from '../components/pager.js';
import { Moment } from '../components/when.js';
import { Page } from '../layout/document.js';
import { groupProblems } from './problem-groups.js';
import { outcomeOf, outcomeText } from './sync-words.js';

interface SyncsPageProps {
  connection: ConnectionResponse;
  provider: ProviderDescriptor | null;
  /** By id. */
  accountNames: ReadonlyMap<string, string>;
  /** Newest first. */
  syncs: readonly SyncResponse[];
  page: number;
  last: number;
}

const TRIGGERS: Record<SyncResponse['trigger'], string> = {
  first: 'First sync',
  person: 'By you',
  schedule: 'Automatic',
  rebuild: 'Recalculation',
};

export function SyncsPage({ connection: { id, name }, syncs, page, last, ...named }: SyncsPageProps) {
  return (
    <Page title={`Syncs of ${name}`} heading="Syncs" back={{ href: `/connections/${id}`, text: name }} isReading>
      <ul class="card rows">
        {syncs.map((sync) => (
          <SyncLine key={sync.id} sync={sync} {...named} />
        ))}
      </ul>
      <Pager label="Pages of syncs" page={page} last={last} href={(page) => `/connections/${id}/syncs?page=${page}`} />
    </Page>
  );
}

type SyncLineProps = { sync: SyncResponse } & Pick<SyncsPageProps, 'provider' | 'accountNames'>;

function SyncLine({ sync, provider, accountNames }: SyncLineProps) {
  const { text, look } = outcomeOf(sync);
  return (
    <li class="sync-line">
      <p class="state-line">
        <span class={`badge ${look}`}>{text}</span>
        <span class="quiet small">
          <Moment at={sync.queued_at} /> · {TRIGGERS[sync.trigger]}
        </span>
      </p>
      <p class="small">{outcomeText(sync)}</p>
      {groupProblems(sync.problems, useTimeZone(), provider)
        .flatMap(({ findings }) => findings)
        .map(({ message, accountIds }) => (
          <p key={message} class="quiet small">
            {message} <Affected ids={accountIds} names={accountNames} />
          </p>
        ))}
    </li>
  );
}

/** The accounts of a problem that are still there. */
function Affected({ ids, names }: { ids: readonly string[]; names: ReadonlyMap<string, string> }) {
  const known = ids.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ name, href: `/accounts/${id}` }];
  });
  if (known.length === 0) return null;
  return (
    <>
      (<Names of={known} />)
    </>
  );
}
