import type { Score } from '../test/simulator/score.js';
import type { HouseholdScores } from './history-scores-pool.js';

const HEADER = [
  '| At the bank | Days knowable | Right | Rows changed | by a habit | by the opening | by a difference | became right | spoiled | undecided | Walking back: right | changed |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];

/** One row per scenario; every figure is that of the worst household, the share of knowable days that of all. */
export function toTable(scores: readonly HouseholdScores[]): string {
  const scenarios = [...new Set(scores.map(({ scenario }) => scenario))];
  const rows = scenarios.map((name) =>
    toRow(
      name,
      scores.filter(({ scenario }) => scenario === name),
    ),
  );
  return [...HEADER, ...rows].join('\n');
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
