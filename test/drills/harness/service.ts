import { join } from 'node:path';
import { ask } from './http.js';
import { DrillProcess } from './processes.js';
import type { RunFolder } from './run-folder.js';
import { poll } from './waiting.js';

const START_MS = 90_000;

/** What every drill starts its services with; each may change it. */
export function baseSettings(folder: RunFolder): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    NODE_COMPILE_CACHE,
    PORT: '0',
    APP_SECRET: 'the root secret of the fault drills',
    DATA_DIR: join(folder.path, 'data'),
    SYNC_CRON: 'off',
    SIGN_UP: 'open',
    RATE_LIMIT_PER_MINUTE: '1000000',
    PROVIDER_ALLOW_PRIVATE_NETWORK: '1',
    USPROVIDER_ALLOWED_HOSTS: '*',
  };
}

/** One instance of the built service. */
export class DrillService {
  private constructor(
    readonly process: DrillProcess,
    readonly url: string,
  ) {}

  static async start(folder: RunFolder, settings: NodeJS.ProcessEnv): Promise<DrillService> {
    const env = { ...baseSettings(folder), ...settings };
    const started = DrillProcess.start(folder, process.execPath, ['dist/src/main.js'], env);
    const [, url] = await started.printed(/^listening on (http:\S+)$/m, START_MS);
    return new DrillService(started, url!);
  }

  /** @returns milliseconds until it was ready; null when it was not in time */
  async readyWithin(maxMs: number): Promise<number | null> {
    const startedAt = performance.now();
    const isReady = async () => (await ask(`${this.url}/health/ready`, { timeoutMs: 2_000 })).status === 200;
    return (await poll(isReady, maxMs)) && performance.now() - startedAt;
  }

  /** @returns the exit code, and how long it took; null when it had not ended in time */
  async stopWithin(maxMs: number): Promise<{ code: number | null; ms: number } | null> {
    const startedAt = performance.now();
    this.process.signal('SIGTERM');
    const ending = await this.process.endedWithin(maxMs);
    return ending && { code: ending.code, ms: performance.now() - startedAt };
  }

  /** Lines of the log that are objects. */
  get logLines(): Record<string, unknown>[] {
    return this.process.stderr.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as Record<string, unknown>];
      } catch {
        return [];
      }
    });
  }
}

/** A command of the command line. @returns what it prints */
export async function runCli(folder: RunFolder, settings: NodeJS.ProcessEnv, ...args: string[]): Promise<unknown> {
  const env = { ...baseSettings(folder), ...settings };
  const started = DrillProcess.start(folder, process.execPath, ['dist/src/cli.js', ...args], env);
  const ending = await started.endedWithin(START_MS);
  if (ending?.code !== 0) throw new Error(`cli ${args[0]} ended with ${ending?.code}: ${started.lastWords}`);
  return JSON.parse(started.stdout);
}
