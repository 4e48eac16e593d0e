import { Get, Param, Query } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { toSyncResponse } from '../../sync/runs/sync.response.js';
import { SyncRunsService } from '../../sync/runs/sync-runs.service.js';
import { type FormBody, textOf } from '../components/form-body.js';
import { readPage } from '../components/pager.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { ConnectionViews } from './connection-views.js';
import { SyncsPage } from './syncs.page.js';

const PER_PAGE = 25;

/** The syncs of a connection with their results. */
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
    @Query() query: FormBody,
  ): Promise<PageReply> {
    const { connection, provider, accountNames } = await this.views.find(userId, id);
    const { rows, page, last } = await readPage(textOf(query, 'page'), PER_PAGE, (page) =>
      this.runs.listPage(userId, { connection_id: id, ...page }),
    );
    return (
      <SyncsPage
        connection={connection}
        provider={provider}
        accountNames={accountNames}
        syncs={rows.map(toSyncResponse)}
        page={page}
        last={last}
      />
    );
  }
}
