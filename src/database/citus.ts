/** True where the database has the extension. */
export const HAS_CITUS = `exists (select 1 from pg_extension where extname = 'citus')`;

/**
 * For a migration, between a new table of a person's rows and its foreign keys to other such tables: SQL that colocates
 * it with them where they are distributed.
 */
export function colocateByUser(table: string): string {
  return `
    do $$
    begin
      if ${HAS_CITUS} then
        if exists (select 1 from pg_dist_partition where logicalrelid = 'user_revisions'::regclass) then
          perform create_distributed_table('${table}', 'user_id', colocate_with => 'user_revisions');
        end if;
      end if;
    end $$`;
}
