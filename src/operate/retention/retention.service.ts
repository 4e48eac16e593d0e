import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { User } from '../../auth/user.entity.js';
import { Config } from '../../platform/config/config.js';
import { NIL_UUID } from '../../database/nil-uuid.js';
import { Installed, type Prune } from '../../platform/module.js';
import { DAY_MS } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';

const PEOPLE_AT_A_TIME = 500;
/** After so many failures the database is at fault, and not the rows of one person. */
const MAX_FAILURES = 10;

/**
 * Removes rows older than RETENTION_DAYS every night, except those that balances are derived from. One instance does it
 * for all, person by person, in short transactions.
 */
@Injectable()
export class RetentionService {
  readonly #log = new Logger('Retention');
  readonly #prunes: [string, Prune][];

  constructor(
    private readonly config: Config,
    private readonly em: EntityManager,
    private readonly clock: Clock,
    installed: Installed,
  ) {
    this.#prunes = installed.parts.flatMap(({ retention = {} }) => Object.entries(retention));
  }

  /**
   * @param stopping ends it after the current person; another instance then begins anew
   * @returns how many rows were removed, by name
   */
  async run(stopping?: AbortSignal): Promise<Record<string, number>> {
    const before = new Date(this.clock.now().getTime() - this.config.retentionDays * DAY_MS);
    const removed = Object.fromEntries(this.#prunes.map(([name]) => [name, 0]));
    const failures: unknown[] = [];
    for await (const userId of this.#people()) {
      stopping?.throwIfAborted();
      await this.#pruneOf(userId, before, removed).catch((error: unknown) => {
        this.#log.warn(`Removing old rows of a person failed: ${String(error)}`);
        failures.push(error);
      });
      if (failures.length >= MAX_FAILURES) break;
    }
    if (failures.length > 0) throw failures[0];
    this.#log.log({ message: `Removed what is older than ${this.config.retentionDays} days.`, ...removed });
    return removed;
  }

  async #pruneOf(userId: string, before: Date, removed: Record<string, number>): Promise<void> {
    for (const [name, prune] of this.#prunes) removed[name]! += await prune(this.em, userId, before);
  }

  async *#people(): AsyncGenerator<string> {
    for (let last = NIL_UUID; ;) {
      const people = await this.em
        .getKysely<InferClassEntityDB<typeof User>>()
        .selectFrom('users')
        .select('id')
        .where('id', '>', last)
        .orderBy('id')
        .limit(PEOPLE_AT_A_TIME)
        .execute();
      for (const { id } of people) yield id;
      if (people.length < PEOPLE_AT_A_TIME) return;
      last = people.at(-1)!.id;
    }
  }
}
