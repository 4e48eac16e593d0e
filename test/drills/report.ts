import type { Result } from './run-drill.js';

/** For a terminal. */
export function asTable(results: readonly Result[]): string {
  const width = Math.max(0, ...results.map(({ drill }) => drill.name.length));
  const lines = results.map(
    ({ drill, times, passed, figures }) =>
      `${passed === times ? '  ok' : 'FAIL'}  ${drill.name.padEnd(width)}  ${passed}/${times}  ${worst(figures)}`,
  );
  const good = results.filter(({ passed, times }) => passed === times).length;
  return [...lines, `${good} of ${results.length} drills passed.`].join('\n');
}

/** For docs/inside/reliability.md. */
export function asMarkdown(results: readonly Result[]): string {
  const lines = results.map(({ drill, times, passed, figures }) =>
    row([`\`${drill.name}\``, String(drill.sentence), drill.expectation, `${passed} of ${times}`, worst(figures)]),
  );
  return [row(['Drill', 'No.', 'What must hold', 'Passed', 'Seen']), row(Array(5).fill('---')), ...lines].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The newest failure, else the newest round. */
function worst(figures: Result['figures']): string {
  return (figures.findLast(({ hasPassed }) => !hasPassed) ?? figures.at(-1))?.figure ?? '';
}
