import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { referenceLoopSeconds } from '../../scripts/reference-loop.mjs';

const TICKS_PER_SECOND = 100;

/** Says what the whole run cost: the clock's time depends on what else the machine does, processor time hardly. */
export default class ProcessorTimeReporter {
  onRunComplete() {
    if (!existsSync('/proc/self/stat')) return;
    const seconds = secondsOf(process.pid).toFixed(0);
    const loop = referenceLoopSeconds().toFixed(2);
    process.stderr.write(
      `\nProcessor time: ${seconds} s, with all processes and PostgreSQL (the reference loop takes ${loop} s here)\n`,
    );
  }
}

/** What a process and its descendants have used, those that ended and were waited for included. @param {number} pid */
function secondsOf(pid) {
  const fields = statOf(pid);
  if (!fields) return 0;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)?.[1] === String(pid));
  return ticks / TICKS_PER_SECOND + children.reduce((sum, child) => sum + secondsOf(Number(child)), 0);
}

/** The fields of /proc/PID/stat after the name of the program: state, parent and so on. `null`: it has ended. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return null;
  }
}
