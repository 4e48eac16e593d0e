import { Migration } from '@mikro-orm/migrations';

/** Each instance counts the requests of API keys in its own memory. */
export class Migration20261128130000NoRateLimits extends Migration {
  override up(): void {
    this.addSql(`drop table rate_limits`);
  }
}
