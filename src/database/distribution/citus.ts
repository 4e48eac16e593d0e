/** True where the database has the extension. */
export const HAS_CITUS = `exists (select 1 from pg_extension where extname = 'citus')`;

/** @param query runs a statement and returns its rows */
export async function hasCitus(query: (text: string) => Promise<{ rows: { found: boolean }[] }>): Promise<boolean> {
  const { rows } = await query(`select ${HAS_CITUS} as found`);
  return rows[0]!.found;
}
