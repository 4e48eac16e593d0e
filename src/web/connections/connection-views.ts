import { Injectable } from '@nestjs/common';
import { recordNotFound } from '../../platform/domain-error.js';
import { isUuid } from '../../http/input/validators.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { endsSoon } from '../../sync/overview/connection-health.queries.js';
import { type ConnectionResponse, toConnectionResponse } from '../../sync/overview/connection.response.js';
import { ConnectionOverviewQueries, type ConnectionView } from '../../sync/overview/connection-overview.queries.js';
import type { MergeSuggestion } from '../../balances/accounts/duplicates/merge-suggestions.js';
import {
  type SyncProblemResponse,
  type SyncResponse,
  toProblemResponse,
  toSyncResponse,
} from '../../sync/runs/sync.response.js';
import { SyncRevisions } from '../../sync/sync-revisions.js';
import { gatherSyncedElsewhere } from '../../sync/ingest/ingest-problem.js';

const ALL = { page: 1, per_page: 1000 };

/** A connection as in the API, with its newest sync and grouped problems. */
export interface ShownConnection {
  connection: ConnectionResponse;
  /** `null`: not installed. */
  provider: ProviderDescriptor | null;
  /** The newest sync in any state. */
  sync: SyncResponse | null;
  /** Of the newest ended sync. */
  problems: SyncProblemResponse[];
  /** Suggestions between the same two connections are grouped. */
  mergeSuggestions: MergeSuggestion[][];
  /** By id. */
  accountNames: ReadonlyMap<string, string>;
  /** How many syncs of the person are under way. */
  openRuns: number;
  /** Whether the consent at the bank ends within two weeks. */
  accessEndsSoon: boolean;
  /** Of everything above. A part of a page asks again with it, and gets nothing when nothing is newer. */
  revision: string;
}

@Injectable()
export class ConnectionViews {
  constructor(
    private readonly repository: ConnectionOverviewQueries,
    private readonly providers: ProviderRegistry,
    private readonly revisions: SyncRevisions,
  ) {}

  async list(userId: string): Promise<ShownConnection[]> {
    // Read first, so that the revision is never newer than what is shown.
    const revision = await this.revisions.readRevision(userId);
    const { rows } = await this.repository.list(userId, ALL);
    const openRuns = await this.repository.countOpenRuns(userId);
    return rows.map((view) => this.#toShown(view, openRuns, revision));
  }

  /** @throws DomainError `record_not_found` */
  async find(userId: string, id: string): Promise<ShownConnection> {
    const revision = await this.revisions.readRevision(userId);
    const view = isUuid(id) ? await this.repository.find(userId, id) : null;
    if (!view) throw recordNotFound('connection');
    return this.#toShown(view, await this.repository.countOpenRuns(userId), revision);
  }

  #toShown(view: ConnectionView, openRuns: number, revision: string): ShownConnection {
    return {
      connection: toConnectionResponse(view),
      provider: this.providers.find(view.connection.provider)?.descriptor ?? null,
      sync: view.latest && toSyncResponse(view.latest),
      problems: gatherSyncedElsewhere(view.problems).map(toProblemResponse),
      mergeSuggestions: byConnections(view.offers),
      accountNames: new Map(view.accounts.map(({ id, name }) => [id, name])),
      openRuns,
      accessEndsSoon: endsSoon(view.connection, view.at),
      revision,
    };
  }
}

function byConnections(offers: readonly MergeSuggestion[]): MergeSuggestion[][] {
  const pairOf = ({ disconnected, replacement }: MergeSuggestion) =>
    `${disconnected.connectionId} ${replacement.connectionId}`;
  return [...Map.groupBy(offers, pairOf).values()];
}
