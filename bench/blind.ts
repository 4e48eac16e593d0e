import { parseArgs } from 'node:util';
import { KINDS, type Played, playAccount, type Score, scoreOf, sumOf } from './blind/score.js';
import { show } from './blind/show.js';
import { showProgress } from './progress.js';

// Plays accounts at banks whose faults were written by somebody who did not know the engine, and scores ingest and engine.
//
//   npm run bench:blind                                  8 accounts of each single fault
//   npm run bench:blind -- --kinds faults --seeds 300    mixtures: a regular expression names the kinds
//   npm run bench:blind -- --kinds ^life                 the lives, for reporting only; and
//   npm run bench:blind -- --kinds '^later life'         those of a second set
//   npm run bench:blind -- --salt x                      other accounts
//   npm run bench:blind -- --show KIND SEED [--check 0]  one account, day by day; `--check` for an earlier moment

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    show: { type: 'string' },
    check: { type: 'string', default: '-1' },
    kinds: { type: 'string', default: '^(?!\\d faults|life|later life)' },
    seeds: { type: 'string', default: '8' },
    salt: { type: 'string', default: '' },
    worst: { type: 'string', default: '25' },
  },
});

const HEADER = [
  'Days of each kind, at three moments of the life. determined: what a careful accountant can know; wrong there: marked as not',
  'certain, silent, and silent on days that are strictly determined. open: the others, of which none can be expected.',
  '',
  `${''.padEnd(36)}            right   determined: wrong,          of which  silent   open: wrong,          marked`,
  `${''.padEnd(36)}    days     in %    days   marked  silent    strict  accounts  marked  silent    days  rightly %`,
].join('\n');

if (values.show !== undefined) console.log(show(playAccount(values.show, positionals[0] ?? '0'), Number(values.check)));
else run();

function run(): void {
  const began = process.cpuUsage();
  const kinds = KINDS.filter((kind) => new RegExp(values.kinds).test(kind));
  const table: [kind: string, score: Score][] = [];
  const worst: { score: Score; played: Pick<Played, 'kind' | 'seed' | 'faults'> }[] = [];
  for (const kind of kinds) {
    const scores = Array.from({ length: Number(values.seeds) }, (_, index) => {
      const played = playAccount(kind, `${values.salt}${index}`);
      const score = scoreOf(played);
      worst.push({ score, played: { kind, seed: played.seed, faults: played.faults } });
      return score;
    });
    table.push([kind, sumOf(scores)]);
    showProgress(`${table.length} of ${kinds.length} kinds`);
  }
  showProgress('');
  const scores = table.map(([, score]) => score);
  table.sort(([, a], [, b]) => b.silentStrict - a.silentStrict || b.silent - a.silent);
  console.log(HEADER);
  for (const [kind, score] of [...table, ['all', sumOf(scores)] as const]) console.log(toLine(kind, score));
  console.log(`\n${inShort(sumOf(scores))}`);
  console.log('\nmost silent days: strictly determined, determined');
  worst.sort((a, b) => b.score.silentStrict - a.score.silentStrict || b.score.silent - a.score.silent);
  for (const { score, played } of worst.slice(0, Number(values.worst))) {
    if (score.silent === 0) break;
    const mixture = played.faults.length > 1 ? `  ${played.faults.join(' + ')}` : '';
    console.log(
      `${pad(score.silentStrict, 5)} ${pad(score.silent, 5)}  --show ${JSON.stringify(played.kind)} ${played.seed}${mixture}`,
    );
  }
  console.log(`${Math.round(process.cpuUsage(began).user / 1e6)} s of processor time`);
}

function inShort({ determined, wrongMarked, silent, rightMarked, openMarked, openSilent, ...score }: Score): string {
  const wrong = wrongMarked + silent;
  return [
    `determined days right ${percent(determined - wrong, determined)} %`,
    `wrong days marked: of determined ones ${percent(wrongMarked, wrong)} %, of all ${percent(wrongMarked + openMarked, wrong + openMarked + openSilent)} %`,
    `marks borne out ${percent(score.markedRightly, score.marked)} %`,
    `right and determined days marked ${percent(rightMarked, determined - wrong)} %`,
  ].join('; ');
}

function toLine(kind: string, score: Score): string {
  return [
    kind.padEnd(36),
    pad(score.days, 7),
    pad(percent(score.right, score.days), 8),
    pad(score.determined, 8),
    pad(score.wrongMarked, 7),
    pad(score.silent, 7),
    pad(score.silentStrict, 8),
    pad(score.accounts, 9),
    pad(score.openMarked, 8),
    pad(score.openSilent, 7),
    pad(score.marked, 8),
    pad(percent(score.markedRightly, score.marked), 8),
  ].join(' ');
}

function percent(part: number, of: number): string {
  return of === 0 ? '-' : ((100 * part) / of).toFixed(2);
}

function pad(value: number | string, width: number): string {
  return String(value).padStart(width);
}
