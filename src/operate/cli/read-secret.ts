import { createInterface } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import { UsageError, type Values } from '../../platform/command.js';
import { passwordProblem } from '../../auth/password.js';

const MAX_BYTES = 64 * 1024;

const isTerminal = (): boolean => process.stdin.isTTY;

/** The first line of stdin. */
async function readLineOfStdin(stopping: AbortSignal): Promise<string> {
  let text = '';
  // Parts may divide a character.
  process.stdin.setEncoding('utf8');
  for await (const chunk of addAbortSignal(stopping, process.stdin)) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_BYTES) break;
  }
  return text.split(/\r?\n/)[0]!;
}

/** Asks on the terminal without echo; the end of input is an empty answer. @param stopping ends the question */
async function promptForSecret(question: string, stopping: AbortSignal): Promise<string> {
  const { stdin, stderr } = process;
  // It draws the line again at each key, which nobody may see.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  // While it is open, a terminal sends no signal.
  editor.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const { promise: closed, resolve: close } = Promise.withResolvers<string>();
  editor.once('close', () => close(''));
  stderr.write(question);
  try {
    return await Promise.race([editor.question('', { signal: stopping }), closed]);
  } catch (error) {
    throw stopping.aborted ? stopping.reason : error;
  } finally {
    editor.close();
    stderr.write('\n');
  }
}

/** Reads from the terminal, or the first line of stdin. */
export function readSecret(name: string, stopping: AbortSignal): Promise<string> {
  return isTerminal() ? promptForSecret(`${name}: `, stopping) : readLineOfStdin(stopping);
}

/** The same for a new secret. The terminal asks twice, because there is no echo. */
export async function readNewSecret(name: string, stopping: AbortSignal): Promise<string> {
  const secret = await readSecret(name, stopping);
  if (isTerminal() && (await promptForSecret(`${name} again: `, stopping)) !== secret) {
    throw new UsageError('The two entries do not match.');
  }
  return secret;
}

/**
 * Reads the password from stdin, the terminal, or, for tests, the command line. @throws UsageError without a valid one
 */
export async function readPassword(values: Values, stopping: AbortSignal): Promise<Values> {
  const password = await findPassword(values, stopping);
  const problem = await passwordProblem(password, values.email ?? '');
  if (problem !== null) throw new UsageError(`This password cannot be used: ${problem}`);
  return { ...values, password };
}

async function findPassword({ password, 'password-stdin': isOnStdin }: Values, stopping: AbortSignal): Promise<string> {
  if (password !== undefined) {
    if (isOnStdin) throw new UsageError('Give --password or --password-stdin, not both.');
    process.stderr.write(
      'Everyone on this machine can see --password while the command runs: use --password-stdin, or leave it out.\n',
    );
    return password;
  }
  if (isOnStdin) return readLineOfStdin(stopping);
  if (!isTerminal()) throw new UsageError('Give the password on stdin with --password-stdin.');
  return readNewSecret('Password', stopping);
}
