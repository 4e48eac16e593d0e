import { type Drill, judge } from './drill.js';
import { type Answer, ask, tally } from './harness/http.js';

const PATHS = ['/', '/sign-up', '/sign-in', '/metrics', '/docs', '/openapi.json', '/api/v1/me'];
const FOREIGN = ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example', '192.0.2.1'];
const MISDIRECTED = 421;

export const drill: Drill = {
  name: 'foreign-host',
  expectation:
    'A fresh install answers a foreign Host with 421 on every path, the loopback names as usual, and the names of ALLOWED_HOSTS where they are set.',
  sentence: 6,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres, { SIGN_UP: 'invitation' });
    const named = await context.startService(postgres, { ALLOWED_HOSTS: 'tidemark.example' });
    const { port } = new URL(service.url);
    const all = (url: string, hosts: string[], paths: string[]) =>
      Promise.all(hosts.flatMap((host) => paths.map((path) => ask(url + path, { headers: { Host: host } }))));
    const foreign = await all(service.url, FOREIGN, PATHS);
    const own = await all(service.url, [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`], PATHS);
    const allowed = await all(named.url, ['tidemark.example'], PATHS);
    const areServed = (answers: Answer[]) =>
      answers.every(({ status }) => status > 0 && status < 500 && status !== MISDIRECTED);
    const figure = `foreign: ${tally(foreign)}; loopback names: ${tally(own)}; ALLOWED_HOSTS: ${tally(allowed)}`;
    return judge(figure, {
      'foreign hosts are refused': foreign.every(({ status }) => status === MISDIRECTED),
      'loopback names are served': areServed(own),
      'named hosts are served': areServed(allowed),
    });
  },
};
