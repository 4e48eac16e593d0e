import { parseArgs } from 'node:util';
import { Refusal, UsageError, type Values } from './command-line.js';
import type { Lifecycle } from '../bootstrap/lifecycle.js';
import { type Command, COMMANDS, usage } from './commands.js';

const EXIT_DONE = 0;
const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;

/** Runs one command: its answer is one JSON object on stdout, everything for people goes to stderr. */
export async function runCli(args: string[], lifecycle: Lifecycle): Promise<number> {
  try {
    const { command, values } = parse(args);
    // Loaded only now, so that a wrong command line is answered at once.
    const [{ withApplication }, answers] = await Promise.all([import('./with-application.js'), import('./answers.js')]);
    const answer = await withApplication(command, (app) => answers[command.answer](app, values), lifecycle);
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

function parse([name, ...rest]: string[]): { command: Command; values: Values } {
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
