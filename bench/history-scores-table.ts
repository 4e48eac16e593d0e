import type { Score } from '../test/simulator/score.js';
import type { HouseholdScores } from './history-scores-pool.js';

const HEADER = [
  '| At the bank | Days knowable | Right | Rows changed | by a habit | by the opening | by a difference | became right | spoiled | undecided | Walking back: right | changed |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];

/** One row per scenario; every figure is that of the worst household, the share of knowable days that of all. */
export function toTable(scores: readonly HouseholdScores[]): string {
  return [...HEADER, ...byScenario(scores).map(([name, households]) => toRow(name, households))].join('\n');
}

export function toRow(scenario: string, households: readonly HouseholdScores[]): string {
  const engine = households.map((scores) => scores.engine);
  const walkingBack = households.map((scores) => scores.walkingBack);
  const most = (column: keyof Score) => whole(Math.max(...engine.map((score) => score[column])));
  const share = sum(engine, 'knowable') / (sum(engine, 'knowable') + sum(engine, 'others'));
  const changed = walkingBack.map((score) => score.changed);
  return `| ${[
    scenario,
    percent(share, 1),
    percent(Math.min(...engine.map(rightOf)), 3),
    most('changed'),
    most('byHabit'),
    most('byOpening'),
    most('byDifference'),
    most('learned'),
    most('spoiled'),
    most('undecided'),
    `${percent(Math.min(...walkingBack.map(rightOf)), 0)} to ${percent(Math.max(...walkingBack.map(rightOf)), 0)}`,
    `${whole(Math.min(...changed))} to ${whole(Math.max(...changed))}`,
  ].join(' | ')} |`;
}

const MISSES_HEADER = [
  '| At the bank | Households | miss a goal | by days right | by rows changed | by rows spoiled | Seeds |',
  '| --- | --- | --- | --- | --- | --- | --- |',
];

/** Where a goal is missed, by how many households and by which. */
export function toMisses(scores: readonly HouseholdScores[]): string {
  const rows = byScenario(scores).map(([name, households]) => {
    const missing = (miss: (score: Score) => boolean) => households.filter(({ engine }) => miss(engine));
    const all = missing((score) => MISSES.some((miss) => miss(score)));
    const counts = MISSES.map((miss) => whole(missing(miss).length));
    return [name, whole(households.length), whole(all.length), ...counts, all.map(({ seed }) => seed).join(', ')];
  });
  return [...MISSES_HEADER, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

/** The goals of every single household. */
const MISSES: readonly ((score: Score) => boolean)[] = [
  (score) => rightOf(score) < 0.9995,
  ({ changed }) => changed >= 300,
  ({ spoiled }) => spoiled > 0,
];

function byScenario(scores: readonly HouseholdScores[]): [name: string, households: HouseholdScores[]][] {
  const names = [...new Set(scores.map(({ scenario }) => scenario))];
  return names.map((name) => [name, scores.filter(({ scenario }) => scenario === name)]);
}

function rightOf({ right, knowable }: Score): number {
  return right / knowable;
}

function sum(scores: readonly Score[], column: keyof Score): number {
  return scores.reduce((total, score) => total + score[column], 0);
}

/** Rounded down, so that 100 % means all of them. */
function percent(share: number, digits: number): string {
  const scale = 10 ** digits;
  return `${(Math.floor(share * 100 * scale) / scale).toFixed(share === 1 ? 0 : digits)} %`;
}

function whole(count: number): string {
  return count.toLocaleString('en-US');
}
