import type { Page } from 'playwright-core';
import { EditAccountService } from '../../../src/balances/edit-account/edit-account.service.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../../support/factories.js';
import type { Scene, Scenes, Site } from './scenes.js';
import { signUp } from './site.js';
import { at, behind, opened } from './steps.js';

const EMAIL = 'few@example.com';
const OPEN = 'hidden = false';

/** Signs somebody up who has one account. */
export async function meetFew(site: Site, page: Page): Promise<void> {
  await signUp(page, site.url, EMAIL);
  const [user]: { id: string }[] = await site.em().execute('select id from users where email = ?', [EMAIL]);
  const connection = await createConnection(site, user!.id);
  const transactions = [transaction('2026-02-16', -4_500), transaction('2026-03-14', 120_000)];
  await writeSnapshot(site, connection, snapshotAccount({ balance: balance(250_000), transactions }));
  await site
    .em()
    .execute('update connections set last_synced_at = ?, next_sync_at = ? where id = ?', [
      site.clock.now(),
      new Date(site.clock.now().getTime() + 3_600_000),
      connection.id,
    ]);
}

/** With everything of the person as told while one looks. */
function having({ account = OPEN, zone = 'UTC' }: { account?: string; zone?: string }, scene: Scene): Scene {
  const change = async ({ em }: Site, account: string, zone: string) => {
    await em().execute(`update accounts set ${account} where user_id = (select id from users where email = ?)`, [
      EMAIL,
    ]);
    await em().execute('update users set time_zone = ? where email = ?', [zone, EMAIL]);
  };
  return async (page, site) => {
    await change(site, account, zone);
    await scene(page, site).finally(() => change(site, OPEN, 'UTC'));
  };
}

/** With the account closed while one looks, and its history with it. */
function closed(scene: Scene): Scene {
  return async (page, site) => {
    await close(site, EMAIL, '%', '2026-03-10');
    await opened(scene)(page, site).finally(() => close(site, EMAIL, '%', null));
  };
}

/** Closes or opens the account of a person whose name is like `name`, and its history with it. */
export async function close(site: Site, email: string, name: string, closedOn: string | null): Promise<void> {
  const sql =
    'select a.id, a.user_id from accounts a join users u on u.id = a.user_id where u.email = ? and a.name like ?';
  const [account]: { id: string; user_id: string }[] = await site.em().execute(sql, [email, name]);
  const person = { userId: account!.user_id, timeZone: 'UTC' };
  await site.app.get(EditAccountService).edit(person, account!.id, { closedOn });
}

/** Where the day is already tomorrow. */
const EAST = 'Pacific/Kiritimati';
/** Where it is still yesterday. */
const WEST = 'Pacific/Pago_Pago';

export const SCENES_OF_FEW: Scenes = {
  'one-account-overview': at('/'),
  'one-account': behind('/', /Checking/),
  'one-account-connections': at('/connections'),
  'only-hidden-overview': having({ account: 'hidden = true' }, opened(at('/'))),
  'only-closed-overview': closed(at('/')),
  'only-closed-account': closed(behind('/', /Checking/)),
  'zone-east-overview': having({ zone: EAST }, at('/')),
  'zone-east-account': having({ zone: EAST }, behind('/', /Checking/)),
  'zone-east-connections': having({ zone: EAST }, at('/connections')),
  'zone-west-overview': having({ zone: WEST }, at('/')),
  'zone-west-account': having({ zone: WEST }, behind('/', /Checking/, '/reconciliation')),
};
