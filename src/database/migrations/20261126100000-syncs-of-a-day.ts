import { Migration } from '@mikro-orm/migrations';

/**
 * The syncs of the last day, of everybody, are counted at each scrape of the metrics. Not a BRIN index: rows that are
 * removed at night make room for new ones among old ones.
 */
export class Migration20261126100000SyncsOfADay extends Migration {
  override up(): void {
    this.addSql(`create index sync_runs_queued_idx on sync_runs (queued_at)`);
  }

  override down(): void {
    this.addSql(`drop index sync_runs_queued_idx`);
  }
}
