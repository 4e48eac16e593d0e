import { passwordProblem } from '../auth/password.js';
import { UsageError, type Values } from './command-line.js';
import { isTerminal, promptForSecret, readLineOfStdin } from './read-secret.js';

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
