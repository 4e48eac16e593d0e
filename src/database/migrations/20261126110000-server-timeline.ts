import { Migration } from '@mikro-orm/migrations';

/** Of the server when the revisions were last known to go on: `null` until an instance has read it. */
export class Migration20261126110000ServerTimeline extends Migration {
  override up(): void {
    this.addSql(`alter table feed_epoch add column timeline integer`);
  }

  override down(): void {
    this.addSql(`alter table feed_epoch drop column timeline`);
  }
}
