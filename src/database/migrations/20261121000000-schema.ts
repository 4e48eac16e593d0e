import { Migration } from '@mikro-orm/migrations';
import { BALANCES } from './schema/balances.js';
import { BANK_DATA } from './schema/bank-data.js';
import { OWN_KNOWLEDGE } from './schema/own-knowledge.js';
import { PEOPLE } from './schema/people.js';
import { WORK } from './schema/work.js';

/**
 * The whole schema of the first release.
 *
 * Every table that belongs to a person has `user_id`, and its keys begin with it, so that rows of one person lie together
 * and the tables can be distributed by user on a sharded PostgreSQL. Money is `bigint` in the currency's minor unit.
 */
export class Migration20261121000000Schema extends Migration {
  override up(): void {
    for (const tables of [PEOPLE, BANK_DATA, OWN_KNOWLEDGE, BALANCES, WORK]) this.addSql(tables);
    // Whose each migration is, so that a program without a module can name it.
    this.addSql('alter table migrations add column module text');
  }
}
