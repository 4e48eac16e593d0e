import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SCENARIOS } from '../test/simulator/bank.js';
import { type HouseholdScores, scoreAll } from './history-scores-pool.js';
import { toMisses, toRow, toTable } from './history-scores-table.js';
import { showProgress } from './progress.js';

// Plays simulated households through every kind of feed and scores the engine, and walking back beside it. A full run
// keeps its table in the documentation.

const DOCUMENT = new URL('../docs/balance-history.md', import.meta.url);
const FULL_RUN_SEEDS = 200;

const { values } = parseArgs({ options: { seeds: { type: 'string' }, scenario: { type: 'string' } } });
const seeds = Number(values.seeds ?? FULL_RUN_SEEDS);
const scenarios = Object.keys(SCENARIOS).filter((name) => name.includes(values.scenario ?? ''));
const households = scenarios.flatMap((scenario) => Array.from({ length: seeds }, (_, seed) => ({ scenario, seed })));

const begun = performance.now();
const scored = new Map<string, HouseholdScores[]>(scenarios.map((scenario) => [scenario, []]));
let done = 0;
await scoreAll(households, (scores) => {
  const sameScenario = scored.get(scores.scenario)!;
  sameScenario.push(scores);
  done++;
  showProgress(`${done} of ${households.length} households`);
  if (sameScenario.length === seeds) console.error(`\r${seconds()} s  ${toRow(scores.scenario, sameScenario)}`);
});
const all = [...scored.values()].flat().sort((a, b) => a.seed - b.seed);
const table = `${toTable(all)}\n\n${toMisses(all)}`;
console.log(table);
if (seeds >= FULL_RUN_SEEDS && !values.scenario) await keep(table);

async function keep(text: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const document = await readFile(DOCUMENT, 'utf8');
  const kept = `<!-- scores -->\n\n${day}, \`npm run bench:history\`, ${seeds} households each:\n\n${text}\n\n<!-- /scores -->`;
  await writeFile(
    DOCUMENT,
    document.replace(/<!-- scores -->[^]*<!-- \/scores -->/, () => kept),
  );
}

function seconds(): string {
  return ((performance.now() - begun) / 1000).toFixed(0);
}
