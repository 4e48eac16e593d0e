import { parseArgs } from 'node:util';
import { DomainError } from '../../platform/domain-error.js';
import { RefusedError, UsageError, type Values } from '../../platform/command.js';
import type { Command } from '../../platform/module.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import { MODULES } from '../../modules.js';
import { CLI, COMMANDS, usage } from './commands.js';

const EXIT_DONE = 0;
const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);

/** Runs one command. Its answer is one JSON object on stdout; text for people goes to stderr. */
export async function runCli(args: string[], lifecycle: Lifecycle): Promise<number> {
  try {
    if (HELP.has(args[0] ?? '') || args.includes('--help')) {
      await print(usage());
      return EXIT_DONE;
    }
    const { command, values } = parse(args);
    const complete = (await command.complete?.(values, lifecycle.stopping)) ?? values;
    const answer = await command.run(complete, {
      lifecycle,
      modules: MODULES,
      // Loaded only for a valid command line, which keeps errors fast.
      inApplication: async (work, { needsWorker = false } = {}) => {
        const { withApplication } = await import('./with-application.js');
        return withApplication(needsWorker, work, lifecycle);
      },
    });
    await print(JSON.stringify(answer));
    return command.isBad?.(answer) ? EXIT_REFUSED : EXIT_DONE;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\nSee all commands with: ${CLI} --help\n`);
      return EXIT_USAGE;
    }
    if (!(error instanceof RefusedError || error instanceof DomainError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_REFUSED;
  }
}

/** @throws RefusedError when nobody gets the answer, which may have been a new key */
async function print(text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  await promise.catch(({ code }: NodeJS.ErrnoException) => {
    throw new RefusedError(`The command is done, and its answer could not be written to stdout (${code}).`);
  });
}

function parse([name, ...rest]: string[]): { command: Command; values: Values } {
  const command = name && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(name ? `There is no command ${name}.` : 'Name a command.');
  try {
    const values = parseValues(command, rest);
    if (command.operand && !values[command.operand]) throw new UsageError(`${name} needs ${command.operand}.`);
    for (const [option, { required }] of Object.entries(command.options)) {
      if (required && !values[option]) throw new UsageError(`${name} needs --${option}.`);
    }
    command.check?.(values);
    return { command, values };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}

function parseValues({ operand, options: known }: Command, args: string[]): Values {
  const options = Object.fromEntries(
    Object.entries(known).map(([option, { value }]) => [
      option,
      { type: value ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  const { values, positionals, tokens } = parseArgs({
    args,
    options,
    allowPositionals: operand !== undefined,
    tokens: true,
  });
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const repeated = given.find((name, index) => given.indexOf(name) !== index);
  if (repeated) throw new UsageError(`--${repeated} is given twice.`);
  if (positionals.length > 1) throw new UsageError(`There is only one ${operand}.`);
  const texts = Object.entries(values).map(([option, value]) => [option, value === true ? 'yes' : String(value)]);
  return { ...Object.fromEntries(texts), ...(operand && { [operand]: positionals[0] }) } as Values;
}
