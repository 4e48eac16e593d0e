import { UsageError, type Values } from './command-line.js';
import { passwordProblem } from '../auth/password.js';

const MAX_BYTES = 64 * 1024;
const INTERRUPT = '\u0003';
const END_OF_INPUT = '\u0004';
const ERASE = new Set(['\u007f', '\b']);

export const isTerminal = (): boolean => process.stdin.isTTY;

/** The first line of stdin. */
export async function readLineOfStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_BYTES) break;
  }
  return text.split(/\r?\n/)[0]!;
}

/** Asks on the terminal without echo. */
export function promptForSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  return new Promise((resolve) => {
    let answer = '';
    const end = () => {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const onData = (text: string) => {
      for (const char of text) {
        if (char === INTERRUPT) {
          end();
          // A terminal in raw mode sends no signal.
          process.kill(process.pid, 'SIGINT');
          return;
        }
        if (char === '\r' || char === '\n' || char === END_OF_INPUT) {
          end();
          resolve(answer);
          return;
        }
        answer = ERASE.has(char) ? answer.slice(0, -1) : answer + char;
      }
    };
    stdin.on('data', onData);
    stdin.resume();
  });
}

/** Reads from the terminal, or the first line of stdin. @param twice asks twice, because there is no echo */
export async function readSecret(name: string, twice: boolean): Promise<string> {
  if (!isTerminal()) return readLineOfStdin();
  const secret = await promptForSecret(`${name}: `);
  if (twice && (await promptForSecret(`${name} again: `)) !== secret) {
    throw new UsageError('The two entries do not match.');
  }
  return secret;
}

/**
 * Reads the password from stdin, the terminal, or, for tests, the command line. @throws UsageError without a valid one
 */
export async function readPassword(values: Values): Promise<Values> {
  const password = await findPassword(values);
  const problem = await passwordProblem(password, values.email ?? '');
  if (problem !== null) throw new UsageError(`This password cannot be used: ${problem}`);
  return { ...values, password };
}

async function findPassword({ password, 'password-stdin': isOnStdin }: Values): Promise<string> {
  if (password !== undefined) {
    if (isOnStdin) throw new UsageError('Give --password or --password-stdin, not both.');
    process.stderr.write(
      'Everyone on this machine can see --password while the command runs: use --password-stdin, or leave it out.\n',
    );
    return password;
  }
  if (isOnStdin) return readLineOfStdin();
  if (!isTerminal()) throw new UsageError('Give the password on stdin with --password-stdin.');
  const typed = await promptForSecret('Password: ');
  if ((await promptForSecret('Password again: ')) !== typed) throw new UsageError('The two passwords do not match.');
  return typed;
}
