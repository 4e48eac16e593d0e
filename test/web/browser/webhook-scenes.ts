import type { Page } from 'playwright-core';
import type { Scenes, Site } from './scenes.js';
import { EMAIL } from './site.js';
import { at, opened } from './steps.js';

const PAGE = '/settings/webhooks';
const MADE = 'https://hooks.example/made-by-hand';
/** By what is seen of it. */
const IDS = {
  enabled: '7d2f6f0a-3c1b-4f54-9a6e-0c6f2b1d8e01',
  failing: '7d2f6f0a-3c1b-4f54-9a6e-0c6f2b1d8e02',
  gone: '7d2f6f0a-3c1b-4f54-9a6e-0c6f2b1d8e03',
};

/** One that works, one that fails, and one that has gone; nothing is due at any of them. */
async function haveWebhooks({ em, clock }: Site): Promise<void> {
  const now = clock.now();
  await em().execute(
    `insert into webhook_endpoints (user_id, id, url, description, event_types, status, disabled_reason, disabled_at,
       position, failures, failing_since, next_attempt_at, created_at)
     select u.id, one.id::uuid, 'https://hooks.example/' || one.name, one.name, '{connection.recovered}',
       case one.name when 'Gone' then 'disabled' else 'enabled' end, case one.name when 'Gone' then 'gone' end,
       case one.name when 'Gone' then ?::timestamptz end, 1000000, case one.name when 'Failing' then 4 else 0 end,
       case one.name when 'Failing' then ?::timestamptz end,
       case one.name when 'Failing' then '2100-01-01'::timestamptz end, ?
     from users u, (values (?, 'Mirror'), (?, 'Failing'), (?, 'Gone')) one (id, name) where u.email = ?
     on conflict do nothing`,
    [now, now, now, IDS.enabled, IDS.failing, IDS.gone, EMAIL],
  );
  await em().execute(
    `insert into webhook_deliveries (user_id, endpoint_id, number, id, message_id, event_type, trigger, payload, status,
       attempts, response_status, response_body, problem, duration_ms, created_at, attempted_at)
     select e.user_id, e.id, n, gen_random_uuid(), 'msg_' || n, 'balances.changed',
       case when n = 3 then 'replay' else 'change' end, '{}', case when n = 2 then 'failed' else 'delivered' end, 1,
       case when n = 2 then 500 else 204 end, case when n = 2 then '<h1>Out of order</h1>' else '' end,
       case when n = 2 then 'It answered 500.' end, 31, ?::timestamptz + n * interval '1 minute', ?
     from webhook_endpoints e, generate_series(1, 25) n where e.id = any(?::uuid[])
     on conflict do nothing`,
    [now, now, `{${IDS.enabled},${IDS.gone}}`],
  );
}

async function fill(page: Page, site: Site, url: string): Promise<void> {
  await site.em().execute('delete from webhook_endpoints where url = ?', [MADE]);
  await opened(at(PAGE))(page, site);
  await page.getByLabel('Address').fill(url);
  await page.getByRole('button', { name: 'Create webhook' }).click();
}

export const SCENES_OF_WEBHOOKS: Scenes = {
  webhooks: async (page, site) => {
    await haveWebhooks(site);
    await opened(at(PAGE))(page, site);
  },
  'webhook-created': async (page, site) => {
    await fill(page, site, MADE);
    await page.getByText('Your signing secret').waitFor();
  },
  'webhook-refused': async (page, site) => {
    await fill(page, site, 'https://somebody:secret@hooks.example');
    await page.getByText('must not have a user name').waitFor();
  },
  webhook: opened(at(`${PAGE}/${IDS.enabled}`)),
  'webhook-later-page': at(`${PAGE}/${IDS.enabled}?page=2`),
  'webhook-asked': at(`${PAGE}/${IDS.enabled}?done=asked`),
  'webhook-failing': opened(at(`${PAGE}/${IDS.failing}`)),
  'webhook-gone': opened(at(`${PAGE}/${IDS.gone}`)),
  'webhook-edit-refused': async (page, site) => {
    await at(`${PAGE}/${IDS.enabled}`)(page, site);
    await page.getByLabel('Address').fill('https://somebody:secret@hooks.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must not have a user name').waitFor();
  },
  'webhook-secret-rotated': async (page, site) => {
    await at(`${PAGE}/${IDS.failing}`)(page, site);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('Your signing secret').waitFor();
  },
  'overview-webhook-stopped': at('/'),
};
