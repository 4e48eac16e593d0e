import { availableParallelism } from 'node:os';

/** Unit specs beside their file in src/, everything that needs the database or the network under test/. */
const common = {
  testEnvironment: '<rootDir>/test/jest/environment.mjs',
  runtime: '<rootDir>/test/jest/runtime.mjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.tsx?$': '@swc/jest' },
  injectGlobals: true,
  // Every property draws from a stated seed.
  setupFilesAfterEnv: ['<rootDir>/test/properties/seed.ts'],
};

export default {
  // Real databases and processes on a shared machine: slow is not wrong.
  testTimeout: 600_000,
  // Two more than there are cores: of its time, a suite spends two fifths waiting for limits in real time, for PostgreSQL or
  // for a browser.
  maxWorkers: availableParallelism() + 2,
  testSequencer: '<rootDir>/test/jest/longest-first.mjs',
  // What suites load is not all given back.
  workerIdleMemoryLimit: '800MB',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/src/**/*.spec.{ts,tsx}',
        '<rootDir>/test/*.spec.ts',
        '<rootDir>/test/examples/**/*.spec.ts',
      ],
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/jest/global-setup.mjs',
      globalTeardown: '<rootDir>/test/jest/global-teardown.mjs',
    },
  ],
};
