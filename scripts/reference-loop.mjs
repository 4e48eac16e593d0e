import { pathToFileURL } from 'node:url';

/**
 * Seconds of processor time that one fixed loop takes on this machine. Figures of two machines can be compared after each
 * is divided by its own.
 *
 * @returns {number}
 */
export function referenceLoopSeconds() {
  const before = process.cpuUsage();
  let state = 1;
  for (let index = 0; index < 300_000_000; index++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  // The loop has to have a result, or it may be left out.
  if (state === 0.5) throw new Error('impossible');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(`${referenceLoopSeconds().toFixed(2)} s\n`);
}
