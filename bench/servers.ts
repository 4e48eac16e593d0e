import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export interface Server {
  pid: number;
  url: string;
  /** Resident memory now, in MiB. */
  memoryMib: () => Promise<number>;
  /** The most it ever was. */
  peakMib: () => Promise<number>;
  stop: () => Promise<void>;
}

/**
 * The service as it is built and as `npm start` runs it, serving requests only.
 *
 * @param settings of the environment, beside those or in their place
 */
export function startTidemark(databaseUrl: string, settings: NodeJS.ProcessEnv = {}): Promise<Server> {
  return serverOf(
    spawn(process.execPath, ['dist/src/main.js'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...serviceSettings(databaseUrl), ...settings },
    }),
  );
}

/** What every service of the benches is started with. */
export function serviceSettings(databaseUrl: string): NodeJS.ProcessEnv {
  return {
    ...{ PATH: process.env.PATH, DATABASE_URL: databaseUrl, APP_SECRET: 'the root secret of the benches' },
    ...{ PORT: '0', ROLE: 'api', SYNC_CRON: 'off', LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' },
  };
}

/** A script of the bench as a server of its own. */
export function startScript(path: string, args: readonly string[]): Promise<Server> {
  const loader = path.endsWith('.ts') ? ['--import', '@swc-node/register/esm-register'] : [];
  return serverOf(spawn(process.execPath, [...loader, path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }));
}

async function serverOf(child: ChildProcess): Promise<Server> {
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout!).on('line', (line) => {
      const address = /listening on (http:\S+)/.exec(line)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`a server ended with ${code} before it listened`)));
  });
  return {
    url,
    pid: child.pid!,
    memoryMib: async () => Number(/VmRSS:\s+(\d+)/.exec(await statusOf(child))![1]) / 1024,
    peakMib: async () => Number(/VmHWM:\s+(\d+)/.exec(await statusOf(child))![1]) / 1024,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function statusOf({ pid }: ChildProcess): Promise<string> {
  return readFile(`/proc/${pid}/status`, 'utf8');
}
