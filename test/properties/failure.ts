/** The part of `jest --json` that is read here. */
export interface JestReport {
  testResults: {
    name: string;
    /** Why a suite could not run at all, beside what its tests say. */
    message: string;
    status: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[];
  }[];
}

export interface Failure {
  /** Its path; empty where all suites failed together. */
  suite: string;
  /** `null` where the suite itself could not run. */
  test: string | null;
  seed: number;
  /** The way to the smallest counterexample; `null` where no property failed. */
  path: string | null;
  message: string;
}

const DRAWN = /\{ seed: (-?\d+), path: "([\d:]+)"/;

/** The first failure of a round, if there is one. */
export function firstFailure({ testResults }: JestReport, seed: number): Failure | null {
  const suite = testResults.find(({ status }) => status === 'failed');
  if (!suite) return null;
  const failed = suite.assertionResults.find(({ status }) => status === 'failed');
  const message = failed?.failureMessages?.join('\n') ?? suite.message;
  const [, ownSeed, path] = DRAWN.exec(message) ?? [];
  const shown = { suite: suite.name, test: failed?.fullName ?? null, message };
  return { ...shown, seed: Number(ownSeed ?? seed), path: path ?? null };
}

/** The command that draws the same examples again. */
export function replayCommand({ seed, suite, test }: Failure): string {
  const only = test === null ? '' : `--test '${test.replaceAll("'", `'\\''`)}'`;
  return ['npm run properties --', `--seed ${seed}`, suite, only].filter((part) => part !== '').join(' ');
}
