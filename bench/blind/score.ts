import { KNOWN } from '../../src/balances/engine/certainty.js';
import type { BalanceHistory } from '../../src/balances/engine/history.js';
import { randomStream, wholeBetween } from '../../sandbox/random.js';
import { type Determined, determine } from './determined.js';
import { type Fault, FAULTS } from './faults.js';
import { toSnapshot, typeOf, World } from './feed.js';
import { LATER_LIVES } from './later-lives.js';
import { FIRST_DAY, type Persona } from './life.js';
import { LIVES } from './lives.js';
import { Service } from './service.js';

/** Histories are held against the books after the last sync, and on the way. */
const CHECKED_AT = [0.35, 0.65, 1];
const PERSONAS: readonly Persona[] = ['checking', 'card', 'savings', 'loan'];

export interface Day {
  day: number;
  truth: number;
  derived: number;
  isMarked: boolean;
  determined: Determined;
}

export interface Played {
  kind: string;
  seed: string;
  /** The faults of the mixture. */
  faults: readonly string[];
  world: World;
  /** The judged days as after the syncs of `CHECKED_AT`. */
  checks: { at: number; days: Day[] }[];
}

const ALL_LIVES: Record<string, Fault> = Object.fromEntries([
  ...Object.entries(LIVES).map(([name, life]) => [`life: ${name}`, life]),
  ...Object.entries(LATER_LIVES).map(([name, life]) => [`later life: ${name}`, life]),
]);

/** Singles are named for their fault, mixtures "2 faults" and "3 faults", lives "life: ..." and "later life: ...". */
export const KINDS = [...Object.keys(FAULTS), '2 faults', '3 faults', ...Object.keys(ALL_LIVES)];

const BENDS: Record<string, Fault | undefined> = { ...FAULTS, ...ALL_LIVES };

export function playAccount(kind: string, seed: string): Played {
  const faults = faultsOf(kind, seed);
  const personas = PERSONAS.filter((persona) =>
    faults.every((name) => BENDS[name]!.personas?.includes(persona) ?? true),
  );
  const random = randomStream(`blind/persona/${kind}/${seed}`);
  const world = new World(personas[wholeBetween(random, 0, personas.length - 1)]!, `${kind}/${seed}`);
  const each = (stage: 'syncs' | 'rows' | 'answers') => {
    for (const name of faults) BENDS[name]![stage]?.(world);
  };
  each('syncs');
  each('rows');
  world.rows = world.rows.filter(({ from, until }) => from < until);
  world.answer();
  each('answers');
  for (const answer of world.answers) answer.rows = [...new Map(answer.rows.map((row) => [row.id, row])).values()];
  return { kind, seed, faults, world, checks: check(world) };
}

function faultsOf(kind: string, seed: string): string[] {
  if (BENDS[kind]) return [kind];
  const random = randomStream(`blind/mixture/${kind}/${seed}`);
  const names = Object.keys(FAULTS).slice(1);
  const chosen = new Set<string>();
  const fits = (fault: Fault) =>
    PERSONAS.some((persona) =>
      [fault, ...[...chosen].map((name) => FAULTS[name]!)].every(({ personas }) => personas?.includes(persona) ?? true),
    );
  while (chosen.size < Number.parseInt(kind)) {
    const name = names[wholeBetween(random, 0, names.length - 1)]!;
    if (fits(FAULTS[name]!)) chosen.add(name);
  }
  return names.filter((name) => chosen.has(name));
}

function check(world: World): Played['checks'] {
  const service = new Service(typeOf(world), world.includePending);
  const { answers } = world;
  const checkedAt = new Set(CHECKED_AT.map((part) => Math.ceil(part * answers.length) - 1));
  return answers.flatMap((answer, index) => {
    const today = world.personDay(answer.at);
    service.ingest(toSnapshot(world, answer), answer.at, today);
    if (!checkedAt.has(index)) return [];
    const history = service.derive(today);
    return history ? [{ at: answer.at, days: judge(world, history, answer.at) }] : [];
  });
}

/** Today is not over, and its balance is of the moment. */
function judge(world: World, { firstDay, length, factor, columns, certainty }: BalanceHistory, now: number): Day[] {
  const determined = determine(world, now);
  const lastDay = Math.min(firstDay + length, world.bankDay(now), world.personDay(now)) - 1;
  const postings = world.books.postings.filter(({ at }) => at <= now).sort((a, b) => a.day - b.day);
  const days: Day[] = [];
  let [truth, next] = [world.books.opening, 0];
  for (let day = Math.min(firstDay, FIRST_DAY - 6); day <= lastDay; day++) {
    while (next < postings.length && postings[next]!.day <= day) truth += postings[next++]!.amount;
    const row = day - firstDay;
    if (row < 0) continue;
    const derived = (columns.endCash[row]! + columns.endNonCash[row]!) * factor;
    days.push({ day, truth, derived, isMarked: certainty[row] !== KNOWN, determined: determined(day) });
  }
  return days;
}

export interface Score {
  days: number;
  right: number;
  marked: number;
  /** Of the marked: wrong, not determined, or another figure after the last sync. */
  markedRightly: number;
  /** Of days that are determined and right. */
  rightMarked: number;
  /** Of days that are determined loosely or strictly: all, wrong and marked, wrong and silent. */
  determined: number;
  wrongMarked: number;
  silent: number;
  silentStrict: number;
  /** Of days that are not determined: wrong and marked, wrong and silent. */
  openMarked: number;
  openSilent: number;
  /** Accounts with a silent day. */
  accounts: number;
}

export function scoreOf({ checks }: Pick<Played, 'checks'>): Score {
  const all = checks.flatMap(({ days }) => days);
  const count = (is: (day: Day) => boolean) => all.filter(is).length;
  const lastFigures = new Map(checks.at(-1)?.days.map(({ day, derived }) => [day, derived]));
  const isWrong = ({ truth, derived }: Day) => truth !== derived;
  const isChanged = ({ day, derived }: Day) => (lastFigures.get(day) ?? derived) !== derived;
  const isOpen = ({ determined }: Day) => determined === 'no';
  const silent = count((day) => isWrong(day) && !isOpen(day) && !day.isMarked);
  return {
    days: all.length,
    right: count((day) => !isWrong(day)),
    marked: count(({ isMarked }) => isMarked),
    markedRightly: count((day) => day.isMarked && (isWrong(day) || isOpen(day) || isChanged(day))),
    rightMarked: count((day) => day.isMarked && !isOpen(day) && !isWrong(day)),
    determined: count((day) => !isOpen(day)),
    wrongMarked: count((day) => isWrong(day) && !isOpen(day) && day.isMarked),
    silent,
    silentStrict: count((day) => isWrong(day) && day.determined === 'strict' && !day.isMarked),
    openMarked: count((day) => isWrong(day) && isOpen(day) && day.isMarked),
    openSilent: count((day) => isWrong(day) && isOpen(day) && !day.isMarked),
    accounts: silent > 0 ? 1 : 0,
  };
}

export function sumOf(scores: readonly Score[]): Score {
  const sum = { ...scores[0]! };
  for (const score of scores.slice(1)) {
    for (const name of Object.keys(sum) as (keyof Score)[]) sum[name] += score[name];
  }
  return sum;
}
