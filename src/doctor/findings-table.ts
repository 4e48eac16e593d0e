import type { Check } from './check.js';

/** For people: one line for each check, and below it what to do. */
export function findingsTable(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, ok, message, advice }) => [
    `${ok ? 'ok ' : 'BAD'}  ${name.padEnd(width)}  ${message}`,
    ...(advice ? [`${' '.repeat(width + 7)}-> ${advice}`] : []),
  ]);
  const badCount = checks.filter(({ ok }) => !ok).length;
  return [...lines, badCount === 0 ? 'All is well.' : `${badCount} of ${checks.length} checks are bad.`].join('\n');
}
