import { Migration } from '@mikro-orm/migrations';

/**
 * Makes the schema of the job queue, whose library makes the tables in it. Instances that started together on an empty
 * database could all find no schema, and the library takes the unique violation of the slower ones for a failure.
 */
export class Migration20261125040200JobSchema extends Migration {
  override up(): void {
    this.addSql('create schema if not exists pgboss');
  }

  override down(): void {
    // What the queue has made in it stays.
  }
}
