import { digestTable, listTables } from '../../../src/modules/backup/tables.js';
import { inSession } from '../../support/citus-nodes.js';

/** All rows as text, in the order of their keys. The list of sessions and others is among them. */
export function digestsOf(url: string): Promise<string[]> {
  return inSession(url, async (session) => {
    await session.query(`set timezone = 'UTC'`);
    const digests: string[] = [];
    for (const table of (await listTables(session)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name, rows, digest } = await digestTable(session, table);
      digests.push(`${name} ${rows} ${digest}`);
    }
    return digests;
  });
}
