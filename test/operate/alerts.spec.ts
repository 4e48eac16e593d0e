import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { status, said: `${stdout ?? ''}${stderr ?? ''}` };
};

const isInstalled = promtool('--version').status === 0;
if (!isInstalled)
  console.warn('promtool is not installed (Debian: package prometheus); the alert rules are not checked.');

it.each(['ops/alerts.yml', 'ops/grafana.json'])('no query of %s adds up or compares several installs', (file) => {
  // A query in a text names its job.
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.includes('query (printf'));
  const grouped = lines.flatMap((line) => line.match(/\b(?:sum|min|max)\b[^(]{0,4}\([^)]*\)/g) ?? []);
  expect(grouped.length).toBeGreaterThan(5);
  expect(grouped.filter((group) => !group.includes('by (job'))).toEqual([]);
});

/** Of Prometheus itself: what it does not understand, it would not load. */
(isInstalled ? describe : describe.skip)('ops/alerts.yml', () => {
  it('Prometheus accepts the alert rules', () => {
    expect(promtool('check', 'rules', 'ops/alerts.yml')).toMatchObject({ status: 0 });
  });

  it('the alerts fire exactly in the conditions of their tests', () => {
    const { status, said } = promtool('test', 'rules', 'ops/alerts.test.yml');
    expect({ status, said: status === 0 ? '' : said }).toEqual({ status: 0, said: '' });
  });

  it('Prometheus loads the alert rules with the configuration of compose.yaml', () => {
    expect(promtool('check', 'config', 'ops/prometheus.yml')).toMatchObject({ status: 0 });
  });
});
