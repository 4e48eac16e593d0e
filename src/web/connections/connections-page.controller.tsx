import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Session } from '../../auth/sessions.service.js';
import { DomainError } from '../../platform/domain-error.js';
import { SyncRunsService } from '../../sync/runs/sync-runs.service.js';
import { SyncRevisions } from '../../sync/sync-revisions.js';
import { NOTHING_NEW, type PageReply, redirectTo } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { Notice } from '../components/notice.js';
import { Page } from '../layout/document.js';
import { ConnectionState, isUnderWay } from './connection-state.js';
import { ConnectionViews, type ShownConnection } from './connection-views.js';

@WebPage('connections')
export class ConnectionsPageController {
  constructor(
    private readonly views: ConnectionViews,
    private readonly runs: SyncRunsService,
    private readonly revisions: SyncRevisions,
  ) {}

  @Get()
  async show(@CurrentSession() { userId }: Session, @Query('done') done?: unknown): Promise<PageReply> {
    const views = await this.views.list(userId);
    return <ConnectionsPage views={views} isRemoved={done === 'removed'} />;
  }

  /** The part of a connection's card that reloads; nothing where it shows the newest revision already. */
  @Get(':id/state')
  async state(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @Query() query: Fields,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageReply> {
    const reloads = textOf(query, 'reloads') === '1';
    if (textOf(query, 'since') === (await this.revisions.readRevision(userId))) return NOTHING_NEW;
    const view = await this.views.find(userId, id);
    if (!reloads || isUnderWay(view.sync)) return <ConnectionState {...view} reloads={reloads} />;
    response.set('HX-Refresh', 'true');
    return NOTHING_NEW;
  }

  @Post(':id/sync')
  async sync(@CurrentSession() { userId }: Session, @Param('id') id: string): Promise<PageReply> {
    const { connection } = await this.views.find(userId, id);
    await this.runs.request(userId, connection.id, 'person').catch(toldByThePage);
    return redirectTo('/connections');
  }
}

/** An exhausted request budget is shown on the next page, with the time of the next possible sync. */
function toldByThePage(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'rate_limit_exceeded') throw error;
}

interface ConnectionsPageProps {
  views: readonly ShownConnection[];
  /** Whether a connection was just removed. */
  isRemoved: boolean;
}

function ConnectionsPage({ views, isRemoved }: ConnectionsPageProps) {
  const underWay = views.some(({ sync }) => isUnderWay(sync));
  return (
    <Page
      title="Connections"
      scripts={['htmx']}
      refreshSeconds={underWay ? 10 : null}
      aside={
        <>
          <a class="button second" href="/accounts/new">
            Add an account by hand
          </a>
          <a class="button" href="/connections/new">
            Connect a bank
          </a>
        </>
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
    <section class="card">
      <h2>No bank is connected yet</h2>
      <p class="quiet">Connect one, and Tidemark fetches its accounts, transactions and balances automatically.</p>
    </section>
  );
}
