import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EXIT_CONFIG, StartupError } from '../../platform/config/startup-error.js';
import { Installed } from '../../platform/module.js';
import { PlainPool } from '../../database/plain-pool.js';

/** Exports everything that is stored about a user. */
@Injectable()
export class PersonalDataExportService implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: PlainPool,
    private readonly installed: Installed,
  ) {}

  /**
   * A table that no part declares would be in no export, and a misspelled one would fail each.
   *
   * @throws StartupError
   */
  onModuleInit(): void {
    const entities = [...this.em.getMetadata().getAll().values()];
    const declared = this.installed.parts.flatMap(({ personalData = [], notExported = [] }) => [
      ...personalData.map(({ table }) => table),
      ...notExported,
    ]);
    for (const { name, personalData = [] } of this.installed.modules) {
      const unknown = personalData.find(({ table }) => !entities.some(({ tableName }) => tableName === table));
      if (!unknown) continue;
      const message = `The module ${name} has no entity of the table ${unknown.table} in personalData.`;
      throw new StartupError(message, EXIT_CONFIG);
    }
    const missing = entities.find(({ tableName, props }) => {
      return props.some(({ name }) => name === 'userId') && !declared.includes(tableName);
    });
    if (missing) {
      const message = `The table ${missing.tableName} has rows of people and is neither in personalData nor in notExported.`;
      throw new StartupError(message, EXIT_CONFIG);
    }
  }

  /**
   * One JSON object per line, each with its `type`. All tables are read in one snapshot, in constant memory.
   * Raw, because tables are read whole, whatever columns they have.
   */
  async *lines(userId: string): AsyncGenerator<string, void> {
    const tables = this.installed.parts.flatMap(({ personalData = [] }) => personalData);
    const statements = tables.map(({ type, table, without = [] }) => ({
      text: `
        select (jsonb_build_object('type', '${type}') || to_jsonb(r) - 'user_id' - $2::text[])::text as line
        from ${table} r where user_id = $1`,
      values: [userId, [...without]],
    }));
    for await (const rows of this.pool.readAll<{ line: string }>(...statements)) {
      yield rows.map(({ line }) => `${line}\n`).join('');
    }
  }
}
