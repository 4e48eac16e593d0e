import { StartupError } from './startup-error.js';

/** Runs a door of the program. What a person can mend is shown as one sentence, anything else with its stack. */
export async function exitOnError(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isForPeople = error instanceof StartupError;
    process.stderr.write(`${isForPeople ? error.message : ((error as Error).stack ?? String(error))}\n`);
    process.exit(isForPeople ? error.exitCode : 1);
  }
}

/** SIGTERM and SIGINT stop once and cleanly; a second signal does not wait. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    void exitOnError(async () => {
      await stop();
      process.exit(0);
    });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/**
 * Gives back what starting needed and serving does not, an eighth of the memory: V8 would keep it as room to grow. It
 * takes a tenth of a second or two, and is left out where Node.js runs without `--expose-gc`. Node.js 20 knows no such
 * options, and gives back nothing.
 */
export function giveBackMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
