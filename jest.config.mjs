import { availableParallelism } from 'node:os';

const EACH = '<rootDir>/test/**/*.e2e-spec.ts';

/**
 * What each command runs beside the specs of `src/`: `npm test` what a contributor needs, `npm run test:all` what one
 * machine can decide, `npm run test:long` what is left.
 */
const END_TO_END = {
  test: { testMatch: [EACH], testPathIgnorePatterns: ['<rootDir>/test/(slow|examples|long)/'] },
  all: { testMatch: [EACH], testPathIgnorePatterns: ['<rootDir>/test/long/'] },
  long: { testMatch: ['<rootDir>/test/long/*.e2e-spec.ts'] },
};
const tier = process.env.TEST_TIER ?? 'test';

const common = {
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.tsx?$': '@swc/jest' },
  // Every property draws from a stated seed.
  setupFilesAfterEnv: ['<rootDir>/test/properties/seed.ts'],
};

const unit = {
  ...common,
  displayName: 'unit',
  testMatch: ['<rootDir>/{src,sandbox,test}/**/*.spec.{ts,tsx}'],
};

const e2e = {
  ...common,
  ...END_TO_END[tier],
  displayName: 'e2e',
  globalSetup: '<rootDir>/test/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/jest/global-teardown.mjs',
};

export default {
  // A busy machine is slow, not wrong.
  testTimeout: 600_000,
  // More than there are cores, since suites also wait for PostgreSQL. Each takes about half a GiB.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  // Jest keeps what suites have loaded.
  workerIdleMemoryLimit: '600MB',
  reporters: ['<rootDir>/test/jest/processor-time.mjs', 'default'],
  projects: tier === 'long' ? [e2e] : [unit, e2e],
};
