import { type ChildProcess, spawn } from 'node:child_process';

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a door of the program, `main` or `cli`, as a process of its own; the run's setup has built it. */
export function start(door: string, args: string[], environment: NodeJS.ProcessEnv): Running {
  const { PATH, HOME } = process.env;
  return new Running(
    spawn(process.execPath, [`dist/bundle/${door}.js`, ...args], { env: { PATH, HOME, ...environment } }),
  );
}

export async function run(door: string, args: string[], environment: NodeJS.ProcessEnv): Promise<Finished> {
  return start(door, args, environment).finished;
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
