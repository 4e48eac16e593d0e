import { spawnSync } from 'node:child_process';

const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { status, said: `${stdout ?? ''}${stderr ?? ''}` };
};

const isInstalled = promtool('--version').status === 0;
if (!isInstalled)
  console.warn('promtool is not installed (Debian: package prometheus); the alert rules are not checked.');

/** Of Prometheus itself: what it does not understand, it would not load. */
(isInstalled ? describe : describe.skip)('ops/alerts.yml', () => {
  it('is understood by Prometheus', () => {
    expect(promtool('check', 'rules', 'ops/alerts.yml')).toMatchObject({ status: 0 });
  });

  it('alerts when it should, and only then', () => {
    const { status, said } = promtool('test', 'rules', 'ops/alerts.test.yml');
    expect({ status, said: status === 0 ? '' : said }).toEqual({ status: 0, said: '' });
  });

  it('is loaded by the configuration of compose.yaml', () => {
    expect(promtool('check', 'config', 'ops/prometheus.yml')).toMatchObject({ status: 0 });
  });
});
