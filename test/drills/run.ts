import { parseArgs } from 'node:util';
import { findDrills } from './find-drills.js';
import { asMarkdown, asTable } from './report.js';
import { type Result, runDrill } from './run-drill.js';

// npm run drills [-- NAME …] [--times N] [--json | --markdown]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const times = Number(values.times);
if (!Number.isInteger(times) || times < 1 || times > 1_000) throw new Error('--times must be from 1 to 1000');

const drills = await findDrills(positionals);
const results: Result[] = [];
// What runs ends with this process: see RunFolder.
process.once('SIGINT', () => process.exit(130));
for (const [index, drill] of drills.entries()) {
  const result: Result = { drill, times: 0, passed: 0, figures: [] };
  results.push(result);
  for (let round = 1; round <= times; round++) {
    const head = `[${index + 1}/${drills.length}] ${drill.name}${times > 1 ? ` ${round}/${times}` : ''}`;
    process.stderr.write(`${head} …\n`);
    const outcome = await runDrill(drill, (text) => process.stderr.write(`    ${text}\n`));
    process.stderr.write(`${head}: ${outcome.hasPassed ? 'passed' : 'FAILED'}: ${outcome.figure}\n`);
    result.times++;
    if (outcome.hasPassed) result.passed++;
    result.figures.push(outcome);
  }
}
if (values.json) console.log(JSON.stringify(results, null, 2));
else console.log(values.markdown ? asMarkdown(results) : asTable(results));
process.exit(results.every(({ passed }) => passed === times) ? 0 : 1);
