import { Get, Param, Query } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { type SyncResponse, toSyncResponse } from '../../sync/runs/sync.response.js';
import { SyncRunsService } from '../../sync/runs/sync-runs.service.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { Names } from '../components/names.js';
import { Pager, readPage } from '../components/table.js';
import { Moment } from '../components/when.js';
import { Page } from '../layout/document.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { ConnectionViews, type ShownConnection } from './connection-views.js';
import { groupProblems } from './problem-list.js';
import { outcomeOf, outcomeText } from './sync-labels.js';

const PER_PAGE = 25;

/** The syncs of a connection with their results, newest first. */
@WebPage('connections/:id/syncs')
export class SyncsPageController {
  constructor(
    private readonly views: ConnectionViews,
    private readonly runs: SyncRunsService,
  ) {}

  @Get()
  async show(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @Query() query: Fields,
  ): Promise<PageReply> {
    const view = await this.views.find(userId, id);
    const { name } = view.connection;
    const { rows, page, last } = await readPage(textOf(query, 'page'), PER_PAGE, (page) =>
      this.runs.listPage(userId, { connection_id: id, ...page }),
    );
    const pageHref = (page: number) => `/connections/${id}/syncs?page=${page}`;
    return (
      <Page title={`Syncs of ${name}`} heading="Syncs" back={{ href: `/connections/${id}`, text: name }} isReading>
        <ul class="card rows">
          {rows.map(toSyncResponse).map((sync) => (
            <SyncLine key={sync.id} sync={sync} view={view} />
          ))}
        </ul>
        <Pager label="Pages of syncs" page={page} last={last} href={pageHref} />
      </Page>
    );
  }
}

const TRIGGERS: Record<SyncResponse['trigger'], string> = {
  first: 'First sync',
  person: 'By you',
  schedule: 'Automatic',
};

function SyncLine({ sync, view: { accountNames } }: { sync: SyncResponse; view: ShownConnection }) {
  const { text, look } = outcomeOf(sync);
  return (
    <li>
      <p class="row">
        <span class={`badge ${look}`}>{text}</span>
        <span class="quiet small">
          <Moment at={sync.queued_at} /> · {TRIGGERS[sync.trigger]}
        </span>
      </p>
      <p class="small">{outcomeText(sync)}</p>
      {groupProblems(sync.problems, accountNames)
        .flatMap(({ findings }) => findings)
        .map(({ message, accountIds }) => (
          <p key={message} class="quiet small">
            {message.charAt(0).toUpperCase() + message.slice(1)} <Affected ids={accountIds} names={accountNames} />
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
