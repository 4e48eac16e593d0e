import type { MarkScore, Score } from '../test/support/simulator/score.js';
import type { HouseholdScores } from './history-scores-pool.js';

const HEADER = [
  'At the bank',
  'Days determined',
  'Right',
  'worst household',
  'Wrong, determined',
  'marked',
  'Wrong, not determined',
  'marked',
  'Days marked',
  'with reason',
  'Rows changed, worst',
  'spoiled, worst',
];

/** What is counted of a household as one number. */
type Count = Exclude<keyof Score, 'byReason'>;

/** One row per kind of bank, and one for the sum of each part. */
export function toTable(parts: ReadonlyMap<string, readonly HouseholdScores[]>): string {
  const rows = [...parts].flatMap(([part, scores]) => [
    ...byKind(scores).map(([kind, households]) => toRow(kind, households)),
    toRow(`**${part}**`, scores),
  ]);
  return [line(HEADER), line(HEADER.map(() => '---')), ...rows].join('\n');
}

export function toRow(name: string, households: readonly HouseholdScores[]): string {
  const scores = households.map(({ engine }) => engine);
  const total = (column: Count) => scores.reduce((sum, score) => sum + score[column], 0);
  const most = (column: Count) => whole(Math.max(...scores.map((score) => score[column])));
  const wrong = total('knowable') - total('right');
  const othersWrong = total('others') - total('othersRight');
  return line([
    name,
    percent(total('knowable') / (total('knowable') + total('others')), 1),
    percent(meanOver(households, rightOf), 3),
    percent(Math.min(...scores.map(rightOf)), 3),
    whole(wrong),
    share(total('wrongMarked'), wrong),
    whole(othersWrong),
    share(total('othersWrongMarked'), othersWrong),
    whole(total('marked')),
    share(total('markedRightly'), total('marked')),
    most('changed'),
    most('spoiled'),
  ]);
}

/** Of all households of a kind; over several kinds each kind counts the same. */
function meanOver(households: readonly HouseholdScores[], of: (score: Score) => number): number {
  const kinds = byKind(households).map(([, same]) => {
    const knowable = same.reduce((sum, { engine }) => sum + engine.knowable, 0);
    return knowable === 0 ? 1 : same.reduce((sum, { engine }) => sum + of(engine) * engine.knowable, 0) / knowable;
  });
  return kinds.reduce((sum, mean) => sum + mean, 0) / kinds.length;
}

/** Where a goal of every single household is missed, by how many and by which. */
export function toMisses(scores: readonly HouseholdScores[]): string {
  const header = [
    'At the bank',
    'Households',
    'miss a goal',
    'by days right',
    'by rows changed',
    'by rows spoiled',
    'Seeds',
  ];
  const rows = byKind(scores).flatMap(([kind, households]) => {
    const missing = (miss: (score: Score) => boolean) => households.filter(({ engine }) => miss(engine));
    const all = missing((score) => MISSES.some((miss) => miss(score)));
    const counts = MISSES.map((miss) => whole(missing(miss).length));
    const seeds = all.map(({ seed }) => seed).join(', ');
    return all.length === 0 ? [] : [line([kind, whole(households.length), whole(all.length), ...counts, seeds])];
  });
  return rows.length === 0
    ? 'No household misses a goal.'
    : [line(header), line(header.map(() => '---')), ...rows].join('\n');
}

const MISSES: readonly ((score: Score) => boolean)[] = [
  (score) => rightOf(score) < 0.9995,
  ({ changed }) => changed >= 300,
  ({ spoiled }) => spoiled > 0,
];

/** Why days are marked, and how often that is borne out. */
export function toReasons(parts: ReadonlyMap<string, readonly HouseholdScores[]>): string {
  const header = ['At the bank', 'Days marked because of', 'Days marked', 'with reason'];
  const rows = [...parts].flatMap(([part, households]) => {
    const reasons = new Map<string, MarkScore>();
    for (const [reason, { marked, markedRightly }] of households.flatMap(({ engine }) =>
      Object.entries(engine.byReason),
    )) {
      const sum = reasons.get(reason) ?? { marked: 0, markedRightly: 0 };
      reasons.set(reason, { marked: sum.marked + marked, markedRightly: sum.markedRightly + markedRightly });
    }
    const most = [...reasons].sort(([, a], [, b]) => b.marked - a.marked);
    return most.map(([reason, { marked, markedRightly }]) =>
      line([part, reason, whole(marked), share(markedRightly, marked)]),
    );
  });
  return [line(header), line(header.map(() => '---')), ...rows].join('\n');
}

/** What walking back from the newest balance makes of the same feeds. */
export function toWalkingBack(scores: readonly HouseholdScores[]): string {
  const header = ['At the bank', 'Walking back: right', 'rows changed, worst'];
  const rows = byKind(scores).map(([kind, households]) => {
    const walked = households.flatMap(({ walkingBack }) => (walkingBack ? [walkingBack] : []));
    const most = Math.max(...walked.map(({ changed }) => changed));
    return line([kind, percent(Math.min(...walked.map(rightOf)), 0), whole(most)]);
  });
  return [line(header), line(header.map(() => '---')), ...rows].join('\n');
}

function byKind(scores: readonly HouseholdScores[]): [kind: string, households: HouseholdScores[]][] {
  const kinds = [...new Set(scores.map(({ kind }) => kind))];
  return kinds.map((kind) => [kind, scores.filter((one) => one.kind === kind)]);
}

function rightOf({ right, knowable }: Score): number {
  return knowable === 0 ? 1 : right / knowable;
}

function share(part: number, all: number): string {
  return all === 0 ? '–' : percent(part / all, 1);
}

/** Rounded down, so that 100 % means all of them. */
function percent(part: number, digits: number): string {
  const scale = 10 ** digits;
  return `${(Math.floor(part * 100 * scale) / scale).toFixed(part === 1 ? 0 : digits)} %`;
}

function whole(count: number): string {
  return count.toLocaleString('en-US');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
