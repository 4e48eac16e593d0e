import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { RunFolder } from './run-folder.js';
import { poll, within } from './waiting.js';

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A program in a process group of its own, which is killed as a whole. */
export class DrillProcess {
  stdout = '';
  stderr = '';
  ending: Ending | null = null;
  readonly ended: Promise<Ending>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk) => (this.stdout += String(chunk)));
    child.stderr?.on('data', (chunk) => (this.stderr += String(chunk)));
    this.ended = new Promise((resolve) => {
      child.once('error', () => resolve({ code: null, signal: null }));
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    void this.ended.then((ending) => (this.ending = ending));
  }

  static start(folder: RunFolder, command: string, args: string[], env: NodeJS.ProcessEnv): DrillProcess {
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const started = new DrillProcess(child);
    if (child.pid) folder.recordGroup(child.pid);
    return started;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Waits for a text on stdout. @throws when the process ends without it, or time is up */
  async printed(pattern: RegExp, maxMs: number): Promise<RegExpExecArray> {
    const match = await poll(() => {
      const found = pattern.exec(this.stdout);
      if (!found && this.ending) throw new Error(`ended with ${this.ending.code} before ${pattern}: ${this.lastWords}`);
      return found;
    }, maxMs);
    if (!match) throw new Error(`${pattern} was not printed in ${maxMs} ms: ${this.lastWords}`);
    return match;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** @returns null when it has not ended in time */
  endedWithin(maxMs: number): Promise<Ending | null> {
    return within(this.ended, maxMs);
  }

  async kill(): Promise<void> {
    signalIfAlive(-this.pid, 'SIGKILL');
    await this.endedWithin(5_000);
  }

  get lastWords(): string {
    return this.stderr.trim().split('\n').slice(-3).join(' | ').slice(-600);
  }
}

/** @param id of a process; negative: of a process group */
export function signalIfAlive(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface Status {
  pid: number;
  parent: number;
  isZombie: boolean;
}

/** All processes of this machine that can be read; Linux only. */
function statuses(): Status[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      // The name in brackets may hold blanks; the rest follows it.
      const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      return [{ pid: Number(pid), parent: Number(parent), isZombie: state === 'Z' }];
    } catch {
      return [];
    }
  });
}

export function childrenOf(pid: number): number[] {
  return statuses()
    .filter(({ parent }) => parent === pid)
    .map(({ pid }) => pid);
}
