import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { createConnection } from '../../support/factories.js';
import type { Scene, Scenes, Site } from './scenes.js';
import { signUp } from './site.js';
import { at } from './steps.js';

const EMAIL = 'first-sync@example.com';

/** Signs somebody up whose first sync is in the hands of a worker who takes for ever. */
export async function meetFirstSync(site: Site, page: Page): Promise<void> {
  await signUp(page, site.url, EMAIL);
  const [user]: { id: string }[] = await site.em().execute('select id from users where email = ?', [EMAIL]);
  const { id: connectionId } = await createConnection(site, user!.id);
  await site.em().execute(
    `insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
     values (?, ?, ?, 'first', 'queued', 'waiting', ?)`,
    [user!.id, randomUUID(), connectionId, site.clock.now()],
  );
}

/** As far as the sync has come. */
function when(progress: string, scene: Scene): Scene {
  return async (page, site) => {
    await site
      .em()
      .execute(`update sync_runs r set ${progress} from users u where u.id = r.user_id and u.email = ?`, [EMAIL]);
    await scene(page, site);
    // Without scripts the page would reload itself while one looks at it.
    await page.evaluate(() => stop());
  };
}

const WAITING = `status = 'queued', step = 'waiting'`;
const STARTING = `status = 'running', step = 'starting', started_at = queued_at`;
const WRITING = `status = 'running', step = 'writing Everyday Checking', accounts_done = 3, accounts_total = 6`;

export const SCENES_OF_FIRST_SYNC: Scenes = {
  'first-sync-waiting': when(WAITING, at('/')),
  'first-sync-starting': when(STARTING, at('/')),
  'first-sync-writing': when(WRITING, at('/')),
  'connections-syncing': when(WRITING, at('/connections')),
};
