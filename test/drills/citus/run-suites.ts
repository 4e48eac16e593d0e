import { spawnSync } from 'node:child_process';
import { startCitusNodes } from '../../support/citus-nodes.js';
import { DEBIAN_HAS_CITUS } from '../../support/debian-postgres.js';

// End-to-end suites on Citus, each on a distributed database of its own.
// npm run test:citus [-- NAME …]

/** What a person and a program see of the service. */
const SUITES = [
  ...[
    'accounts',
    'auth',
    'balances',
    'balances-paging',
    'clients',
    'connections',
    'http',
    'operate',
    'retention',
    'sync',
  ],
  ...['sync-connection', 'sync-events', 'sync-runs', 'transactions', 'unstable-ids', 'us-provider', 'web'],
];

if (!DEBIAN_HAS_CITUS) {
  console.error('Not run: Citus is not installed here. test/drills/citus/README.md says how.');
  process.exit(1);
}
const names = process.argv.length > 2 ? process.argv.slice(2) : SUITES;
const nodes = await startCitusNodes();
try {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--selectProjects=e2e'];
  const { status } = spawnSync(
    process.execPath,
    [...jest, '--maxWorkers=2', `--testPathPatterns=test/(${names.join('|')})\\.e2e-spec`],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_DATABASE_URL: nodes.coordinator.urlOf('postgres'),
        TEST_DATABASE_WORKERS: nodes.workers.map((worker) => worker.urlOf('postgres')).join(','),
      },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  await nodes.stop();
}
