import { UsageError } from './command-line.js';

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
