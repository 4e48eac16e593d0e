import type { EntityManager } from '@mikro-orm/postgresql';

/** A table whose rows clients know, by lists with an `ETag` or by the change feed. */
export interface GuardedTable {
  readonly table: string;
  /** Columns that no list shows. */
  readonly hidden?: readonly string[];
  /** SQL: whether the part `c` of the change log covers the row `shown`, which is JSON. */
  readonly covers: string;
}

/** Before what a test changes by itself in the same transaction, and nothing of the service would. */
export const UNGUARDED = `set local tidemark_test.is_unguarded = 'on'`;

/**
 * From now on a transaction fails that changes a row of these tables without `noteChanges`: triggers look at every changed
 * row right before the commit. For tests only: nothing of the service counts on triggers.
 */
export async function guardNotedWrites(em: EntityManager, tables: readonly GuardedTable[]): Promise<void> {
  const connection = em.getConnection();
  for (const { table, hidden = [], covers } of tables) {
    const columns = `array[${hidden.map((name) => `'${name}'`).join(', ')}]::text[]`;
    await connection.execute(`
      create or replace function check_noted_${table}() returns trigger language plpgsql as $$
      declare
        shown jsonb;
      begin
        if current_setting('tidemark_test.is_unguarded', true) = 'on' then return null; end if;
        if tg_op = 'UPDATE' and to_jsonb(old) - ${columns} = to_jsonb(new) - ${columns} then return null; end if;
        for shown in
          select to_jsonb(old) where tg_op <> 'INSERT' union all select to_jsonb(new) where tg_op <> 'DELETE'
        loop
          -- With a person goes the log.
          if not exists (select 1 from users where id = (shown ->> 'user_id')::uuid) then continue; end if;
          if not exists (
            select 1 from changes c
            where c.user_id = (shown ->> 'user_id')::uuid and c.xmin = pg_current_xact_id()::xid and ${covers}
          ) then
            raise exception 'not noted: % of ${table}: %', tg_op, shown;
          end if;
        end loop;
        return null;
      end $$`);
    await connection.execute(`drop trigger if exists check_noted on ${table}`);
    await connection.execute(`
      create constraint trigger check_noted after insert or update or delete on ${table}
      deferrable initially deferred for each row execute function check_noted_${table}()`);
  }
}
