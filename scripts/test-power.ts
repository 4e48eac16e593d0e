import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawMutants, type Mutant } from './mutants.js';

// npm run test:power -- [--seed TEXT] [--count N] [--only N] [--list]
//                       [--tier test|all] [--workers N] [--minutes N] [--results FILE]
// Breaks one place of the committed source after the other, in a copy, and tells which of them the tests find.

/** A mutant that waits for ever fails by it. */
const TEST_TIMEOUT_MS = 60_000;
/** Where a run says what failed first. */
const FAILED = /^FAIL \S+ (\S+).*\n[^]*?^ {2}● (.+)$/m;
const PASSED = /^PASS \S+ (\S+)/gm;

interface Failure {
  /** `null`: no suite, but what all of them need. */
  suite: string | null;
  test: string;
}

interface Result {
  commit: string;
  seed: string;
  tier: string;
  mutant: number;
  place: string;
  before: string;
  after: string;
  /** `null`: missed. */
  found: Failure | null;
  /** How many suites did not find it. */
  passed: number;
  seconds: number;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '24' },
    tier: { type: 'string', default: 'test' },
    workers: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '3' },
    results: { type: 'string', default: 'test-power.log' },
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
/** What the tests have to find one mutant. The suites beside its file have half of it. */
const LIMIT_MS = Number(values.minutes) * 60_000;
const script = values.tier === 'test' ? 'test' : `test:${values.tier}`;
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const place = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-power-')));
const code = join(place, 'code');
const ends = new AbortController();
/** Suites that fail without a mutant, too, or not always with one. */
const unsound = new Set<string>();

process.once('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    ends.abort();
    process.exit(1);
  });
}
await main();

async function main(): Promise<void> {
  copyCommit();
  const drawn: (readonly [number, Mutant])[] = [];
  for (const mutant of drawMutants(code, values.seed)) {
    if (drawn.length === Number(values.count)) break;
    drawn.push([drawn.length + 1, mutant]);
  }
  if (values.list) {
    for (const [number, mutant] of drawn) say(diff(number, placeOf(mutant), mutant));
    return;
  }
  const done = storedResults();
  const chosen = drawn.filter(([number]) => (values.only ? Number(values.only) === number : !done.has(number)));
  const all = await listSuites();
  for (const [number, mutant] of chosen) {
    if (values.only) say(diff(number, placeOf(mutant), mutant));
    const result = await meet(number, mutant, all);
    const { found, passed, seconds } = result;
    const outcome = found
      ? `found by ${found.suite ?? 'the start of the run'}: ${found.test}`
      : `MISSED by ${passed} suites`;
    say(`${number} of ${drawn.length} ${result.place} (${mutant.kind}), ${seconds} s: ${outcome}`);
    if (values.only) return;
    mkdirSync(dirname(resolve(values.results)), { recursive: true });
    appendFileSync(values.results, `${JSON.stringify(result)}\n`);
    done.set(number, result);
  }
  summarize([...done.values()].filter(({ mutant }) => mutant <= drawn.length));
}

/** The sources of the last commit, with the packages that are installed here. */
function copyCommit(): void {
  mkdirSync(code);
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', code], { input: archive });
  for (const folder of ['.', 'test/program-tools', 'test/document-tools']) {
    const modules = resolve(folder, 'node_modules');
    if (existsSync(modules)) symlinkSync(modules, join(code, folder, 'node_modules'));
  }
}

function storedResults(): Map<number, Result> {
  const lines = existsSync(values.results) ? readFileSync(values.results, 'utf8').trim().split('\n') : [];
  const results = lines.map((line) => JSON.parse(line) as Result);
  const isOfThisRun = ({ seed, tier, commit: of }: Result) =>
    of === commit && seed === values.seed && tier === values.tier;
  return new Map(results.filter(isOfThisRun).map((result) => [result.mutant, result]));
}

async function meet(number: number, mutant: Mutant, all: readonly string[]): Promise<Result> {
  const path = join(code, mutant.file);
  const whole = readFileSync(path, 'utf8');
  const suites = nearestFirst(mutant.file, all, await listSuites('--findRelatedTests', mutant.file));
  const isBeside = (suite: string) => dirname(suite) === dirname(mutant.file);
  const beside = { group: suites.filter(isBeside), limitMs: LIMIT_MS / 2 };
  const others = { group: suites.filter((suite) => !isBeside(suite)), limitMs: LIMIT_MS };
  const steps = [beside, others];
  let found: Failure | null = null;
  let [passed, spentMs] = [0, 0];
  while (steps.length > 0 && !found) {
    const { limitMs } = steps[0]!;
    const group = steps[0]!.group.filter((suite) => !unsound.has(suite));
    const startMs = performance.now();
    writeFileSync(path, mutant.text);
    const { failure, passed: before } = await runSuites(group, limitMs - spentMs);
    spentMs += performance.now() - startMs;
    passed += before;
    const hasTime = spentMs < limitMs;
    const fails = (text: string) => {
      writeFileSync(path, text);
      return failsAlone(failure?.suite ?? group[0]!, hasTime ? LIMIT_MS : LIMIT_MS / 2);
    };
    if (failure && (await fails(mutant.text)) && !(await fails(whole))) found = failure;
    else if (failure && hasTime) unsound.add(failure.suite ?? group[0]!);
    else steps.shift();
  }
  writeFileSync(path, whole);
  const { before, after } = mutant;
  const run = { commit, seed: values.seed, tier: values.tier, mutant: number };
  return { ...run, place: placeOf(mutant), before, after, found, passed, seconds: Math.round(spentMs / 1_000) };
}

async function failsAlone(suite: string, limitMs: number): Promise<boolean> {
  return (await runSuites([suite], limitMs)).failure !== null;
}

/** Up to the first failure, which is also that the first suite has not ended in this time. */
async function runSuites(
  suites: readonly string[],
  limitMs: number,
): Promise<{ failure: Failure | null; passed: number }> {
  if (suites.length === 0) return { failure: null, passed: 0 };
  const order = ['--testSequencer=./test/jest/given-order.mjs', '--runTestsByPath', ...suites];
  const { output, status } = await runJest([...order, `--testTimeout=${TEST_TIMEOUT_MS}`], limitMs, FAILED);
  const passed = [...output.matchAll(PASSED)].map(([, suite]) => suite!);
  const [, suite, test] = FAILED.exec(output) ?? [];
  const isEndless = status === null && !passed.includes(suites[0]!);
  let failure: Failure | null = null;
  if (suite && test) failure = { suite, test };
  else if (isEndless) failure = { suite: suites[0]!, test: `has not ended in ${Math.round(limitMs / 1_000)} s` };
  else if (status) failure = { suite: null, test: output.trim().slice(-1_000) };
  return { failure, passed: passed.length };
}

/** Every suite of the tier, or some of them, by its path from the project's folder. */
async function listSuites(...options: string[]): Promise<string[]> {
  const { output, status } = await runJest(['--listTests', ...options], LIMIT_MS);
  if (status !== 0) throw new Error(`"npm run ${script}" lists no suites. ${output}`);
  return output
    .split('\n')
    .filter((line) => line.startsWith(code))
    .map((line) => relative(code, line))
    .sort();
}

/** Ends with its processes when its time is over, or as soon as its output says enough. @returns a status of `null` then */
async function runJest(options: string[], limitMs: number, enough?: RegExp) {
  const shared = [`--maxWorkers=${values.workers}`, `--cacheDirectory=${join(place, 'cache')}`];
  const args = ['run', '--silent', script, '--', ...shared, '--reporters=default', '--silent', ...options];
  const child = spawn('npm', args, { cwd: code, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
  };
  ends.signal.addEventListener('abort', kill);
  const timer = setTimeout(kill, limitMs);
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    if (values.only && enough) process.stdout.write(chunk);
    if (enough?.test(output)) kill();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const status = await new Promise<number | null>((done) => child.on('close', done));
  clearTimeout(timer);
  ends.signal.removeEventListener('abort', kill);
  return { output, status };
}

/** The file's own spec, then suites that import it: those of its folder, and by how rare the words are that its path shares. */
function nearestFirst(file: string, all: readonly string[], related: readonly string[]): string[] {
  const words = file.split(/[^a-z]+/).map((word) => word.replace(/(ie)?s$/, ''));
  const texts = all.map((suite) => [suite, readFileSync(join(code, suite), 'utf8').toLowerCase()] as const);
  const rarityOf = (word: string) => 1 / texts.filter(([, text]) => text.includes(word)).length;
  const weights = words.filter((word) => word !== '').map((word) => [word, rarityOf(word)] as const);
  const ranked = texts.map(([suite, text]) => {
    const isOwn = suite.startsWith(file.replace(/\.tsx?$/, '.spec.'));
    const isNear = suite.startsWith(file.split('/', 2).join('/'));
    let rank = 2_000 * Number(isOwn) + 1_000 * Number(related.includes(suite)) + 500 * Number(isNear);
    for (const [word, weight] of weights) if (text.includes(word)) rank += suite.includes(word) ? 10 * weight : weight;
    return { suite, rank };
  });
  return ranked.sort((one, other) => other.rank - one.rank).map(({ suite }) => suite);
}

function summarize(results: readonly Result[]): void {
  const missed = results.filter(({ found }) => !found);
  say(`\nCommit ${commit.slice(0, 12)}, seed ${values.seed}, tier ${values.tier}: ${results.length} mutants`);
  say(`${results.length - missed.length} found, ${missed.length} missed in ${values.minutes} minutes each\n`);
  for (const result of missed) say(diff(result.mutant, result.place, result));
  if (unsound.size > 0) say(`Left out after failures that no mutant explains: ${[...unsound].join(' ')}\n`);
  say(`One again: npm run test:power -- --seed ${values.seed} --tier ${values.tier} --only ${missed[0]?.mutant ?? 1}`);
}

function diff(number: number, where: string, { before, after }: { before: string; after: string }): string {
  const lines = (sign: string, text: string) => text.split('\n').map((line) => `${sign} ${line}`);
  return [`${number}  ${where}`, ...lines('-', before), ...lines('+', after), ''].join('\n');
}

function placeOf({ file, line }: Mutant): string {
  return `${file}:${line}`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
