import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { BUSY_MACHINE_LIMITS } from '../../src/kit/busy-machine.js';

/** Shorter than the limit of a test, so that its failure says what did not come. */
const DEADLINE_MS = 250_000;
const POLL_MS = 20;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts an entry point of the program, `main` or `cli`, as a process of its own; the run's setup has built it. */
export function start(entryPoint: string, args: string[], environment: NodeJS.ProcessEnv): Running {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...BUSY_MACHINE_LIMITS, ...environment };
  return new Running(spawn(process.execPath, [`dist/src/${entryPoint}.js`, ...args], { env }));
}

/**
 * Starts an npm script as a terminal or a service manager does: in a process group of its own, whose members all get
 * its signals.
 */
export function startScript(script: string, environment: NodeJS.ProcessEnv): Running {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, npm_config_update_notifier: 'false', ...BUSY_MACHINE_LIMITS, ...environment };
  return new Running(spawn('npm', ['run', '--silent', script], { detached: true, env }));
}

export async function run(entryPoint: string, args: string[], environment: NodeJS.ProcessEnv): Promise<Finished> {
  return start(entryPoint, args, environment).finished;
}

export class Running {
  #stdout = '';
  #stderr = '';
  readonly finished: Promise<Finished>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk) => (this.#stdout += String(chunk)));
    child.stderr?.on('data', (chunk) => (this.#stderr += String(chunk)));
    this.finished = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** To each process of its group, as long as there are any. */
  signalGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.child.pid!, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Waits for a line on stdout; fails when the process ends without it. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this.#stdout);
        if (match) resolve(match);
      };
      look();
      this.child.stdout?.on('data', look);
      void this.finished.then(({ stderr }) => reject(new Error(`ended without ${String(pattern)}: ${stderr}`)));
    });
  }
}

/** Looks again and again, and lets everything else of this process go on meanwhile. */
export async function waitFor(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still not ${what}`);
    await wait(POLL_MS);
  }
}
