import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';

const LOOK_MS = 200;

/** Waits until so many runs have succeeded. @returns from the start of the first to the end of the last */
export async function secondsOfRuns(client: pg.Client, count: number): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ ended: number; well: number; seconds: number }>(`
      select count(finished_at)::integer as ended, (count(*) filter (where status = 'succeeded'))::integer as well,
        extract(epoch from max(finished_at) - min(started_at))::float8 as seconds
      from sync_runs`);
    const { ended, well, seconds } = rows[0]!;
    if (ended > well) throw new Error(`${ended - well} syncs did not succeed`);
    if (well === count) return seconds;
    await wait(LOOK_MS);
  }
}
