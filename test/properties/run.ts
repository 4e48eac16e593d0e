import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type Failure, firstFailure, type JestReport, replayCommand } from './failure.js';
import type { PropertyRun } from './property-run.js';
import { suitesWithProperties } from './suites.js';

// `npm run properties -- [--minutes N] [--seed N] [--test NAME] [SUITE…]`: draws new examples for as long as it is asked to.

const DEFAULT_MINUTES = '10';
/** Ten times what `npm test` tries of a property that does not say a number itself. */
const NUM_RUNS = 1_000;
/** A property that does not end is a failure, too. A round takes two minutes, and half an hour on a crowded machine. */
const ROUND_LIMIT_MINUTES = 180;
const MINUTE_MS = 60_000;
const JEST = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

interface Round {
  failure: Failure | null;
  examples: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: DEFAULT_MINUTES },
    seed: { type: 'string' },
    test: { type: 'string' },
  },
});

process.exitCode = main(positionals, Number(values.minutes), values.seed);

function main(names: readonly string[], minutes: number, givenSeed: string | undefined): number {
  const suites = suitesWithProperties(names);
  if (suites.length === 0 || !(minutes >= 0)) {
    console.error(suites.length === 0 ? 'No suite with properties has such a name.' : '--minutes must be a number.');
    return 2;
  }
  console.log(`Suites with properties: ${suites.join(' ')}`);
  const startMs = performance.now();
  const passedMs = () => performance.now() - startMs;
  let examples = 0;
  let rounds = 0;
  do {
    const seed = givenSeed === undefined ? randomInt(2 ** 31) : Number(givenSeed);
    process.stdout.write(`Round ${++rounds}, seed ${seed}: `);
    const round = playRound(suites, seed);
    examples += round.examples;
    console.log(`${round.examples} examples, ${inMinutes(passedMs())} of ${minutes} minutes`);
    if (round.failure) {
      report(round.failure);
      return 1;
    }
  } while (givenSeed === undefined && passedMs() < minutes * MINUTE_MS);
  console.log(`No counterexample in ${rounds} rounds with ${examples} examples, in ${inMinutes(passedMs())} minutes.`);
  return 0;
}

function playRound(suites: readonly string[], seed: number): Round {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-properties-'));
  const [reportFile, countFile] = [join(folder, 'report.json'), join(folder, 'count')];
  const run: PropertyRun = { seed, numRuns: NUM_RUNS, countFile };
  const options = ['--runTestsByPath', ...suites, '--json', `--outputFile=${reportFile}`, '--silent'];
  const limits = ['--bail=1', `--testTimeout=${ROUND_LIMIT_MINUTES * MINUTE_MS}`];
  const only = values.test === undefined ? [] : ['--testNamePattern', `^${escapeRegExp(values.test)}$`];
  try {
    const { status, signal, error, stderr } = spawnSync(process.execPath, [...JEST, ...options, ...limits, ...only], {
      env: { ...process.env, TEST_TIER: 'all', PROPERTY_RUN: JSON.stringify(run) },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: ROUND_LIMIT_MINUTES * MINUTE_MS,
    });
    const failure = existsSync(reportFile) ? firstFailure(readReport(reportFile), seed) : null;
    return {
      failure: failure ?? (status === 0 ? null : unreported(endOf(signal, error), stderr, seed)),
      examples: countOf(countFile),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string): JestReport {
  return JSON.parse(readFileSync(file, 'utf8')) as JestReport;
}

/** Jest itself failed, or was ended. */
function unreported(end: string, stderr: string, seed: number): Failure {
  return { suite: positionals.join(' '), test: null, seed, path: null, message: end + stderr };
}

function endOf(signal: string | null, error: NodeJS.ErrnoException | undefined): string {
  if (error?.code === 'ETIMEDOUT') return `The round had not ended after ${ROUND_LIMIT_MINUTES} minutes.\n\n`;
  return signal ? `The round was ended by ${signal}, which is no counterexample.\n\n` : '';
}

function countOf(file: string): number {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.reduce((sum, line) => sum + Number(line), 0);
}

function report(failure: Failure): void {
  const suite = isAbsolute(failure.suite) ? relative('.', failure.suite) : failure.suite;
  console.error(`\n${suite || 'all suites'}: ${failure.test ?? 'the suite failed'}\n\n${failure.message}\n`);
  console.error(`seed: ${failure.seed}\npath: ${failure.path ?? 'none: no property failed'}`);
  console.error(`replay: ${replayCommand({ ...failure, suite })}`);
}

function inMinutes(ms: number): string {
  return (ms / MINUTE_MS).toFixed(1);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
