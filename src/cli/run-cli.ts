import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { Config, readConfig } from '../config.js';
import { AppLogger } from '../logging/logger.js';
import { startSurroundings } from '../startup.js';
import { type Command, COMMANDS, Refusal, usage, UsageError } from './commands.js';

const EXIT_DONE = 0;
const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;

/** Runs one command: its answer is one JSON object on stdout, everything for people goes to stderr. */
export async function runCli(args: string[]): Promise<number> {
  try {
    const { command, values } = parse(args);
    const answer = await withApplication(command, (app) => command.run(app, values));
    process.stdout.write(`${JSON.stringify(answer)}\n`);
    return EXIT_DONE;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage()}\n`);
      return EXIT_USAGE;
    }
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_REFUSED;
  }
}

function parse([name, ...rest]: string[]): { command: Command; values: Record<string, string | undefined> } {
  const command = COMMANDS[name ?? ''];
  if (!command) throw new UsageError(name ? `There is no command ${name}.` : 'Say which command.');
  try {
    const options = Object.fromEntries(
      Object.keys(command.options).map((option) => [option, { type: 'string' as const }]),
    );
    const { values } = parseArgs({ args: rest, options });
    for (const [option, { required }] of Object.entries(command.options)) {
      if (required && !values[option]) throw new UsageError(`${name} needs --${option}.`);
    }
    command.check?.(values);
    return { command, values };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}

/** Beside a running service this uses its database and leaves it running. */
async function withApplication<T>(command: Command, run: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const config: Config = { ...readConfig(), role: command.needsWorker ? 'worker' : 'api', syncCron: null };
  const started = await startSurroundings(config);
  try {
    const app = await NestFactory.createApplicationContext(AppModule.of({ config, ...started }), {
      logger: new AppLogger(config.logLevel === 'info' ? 'warn' : config.logLevel),
      abortOnError: false,
    });
    try {
      return await run(app);
    } finally {
      await app.close();
    }
  } finally {
    await started.stop();
  }
}
