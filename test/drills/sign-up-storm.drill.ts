import { type Drill, judge, judgeAll } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { areAll, count, postForm, tally } from './harness/http.js';
import { PASSWORD } from './harness/person.js';
import { countRows } from './harness/rows.js';
import type { DrillService } from './harness/service.js';
import { seconds } from './harness/waiting.js';
import { Visitor } from '../support/visitor.js';

const AT_ONCE = 40;
const READY_MS = 5_000;
const STOP_MS = 20_000;

interface Storm {
  name: string;
  signUp: 'invitation' | 'open';
  /** Somebody has signed up before and made one invitation, which all use. */
  isInvited: boolean;
}

const STORMS: Storm[] = [
  { name: 'fresh', signUp: 'invitation', isInvited: false },
  { name: 'one invitation', signUp: 'invitation', isInvited: true },
  { name: 'open', signUp: 'open', isInvited: false },
];

async function onFreshInstance(context: DrillContext, { name, signUp, isInvited }: Storm): Promise<string> {
  context.progress(name);
  const postgres = await context.startPostgres();
  const service = await context.startService(postgres, { SIGN_UP: signUp });
  const invitation = isInvited && (await invite(service));
  const posts = Array.from({ length: AT_ONCE }, (_, index) =>
    postForm(`${service.url}/sign-up`, {
      ...{ email: `storm-${index}@example.com`, password: PASSWORD, time_zone: 'UTC' },
      ...(invitation && { invitation }),
    }),
  );
  const answers = await Promise.all(posts);
  const readyMs = await service.readyWithin(READY_MS);
  const stopped = await service.stopWithin(STOP_MS);
  const created = (await countRows(await postgres.connect(), 'users')) - (isInvited ? 1 : 0);
  const figure =
    `${name}: ${AT_ONCE} at once: ${tally(answers)}; ${created} created; ` +
    `ready ${readyMs === null ? 'never' : `after ${seconds(readyMs)}`}; ` +
    (stopped ? `SIGTERM: exit ${stopped.code} after ${seconds(stopped.ms)}` : 'SIGTERM: no exit');
  return judge(figure, {
    'every request is answered': areAll(answers, 303, 403, 422, 429, 503),
    'who was let in was created': count(answers, 303) === created,
    'as many as may': signUp === 'open' ? created >= 1 : created === 1,
    'ready again': readyMs !== null,
    'SIGTERM ends it': stopped?.code === 0,
  });
}

async function invite(service: DrillService): Promise<string> {
  const host = new Visitor(service.url);
  await host.submit('/sign-up', { email: 'host@example.com', password: PASSWORD });
  const { html } = await host.follow(await host.submit('/settings/invitations', {}, '/settings'));
  return /\/sign-up\?invitation=([\w-]+)/.exec(html)![1]!;
}

export const drill: Drill = {
  name: 'sign-up-storm',
  expectation:
    'Forty parallel sign-ups are all answered and let in nobody too many, on a fresh instance, with one invitation and with SIGN_UP=open; then the instance is ready and stops at SIGTERM.',
  sentence: 2,
  run: (context) => judgeAll(STORMS, (storm) => onFreshInstance(context, storm)),
};
