import { spawn } from 'node:child_process';
import { Running } from './run-process.js';

/** Less than the text of the answer has. */
const HEAP_MIB = 54;

export interface Reading {
  bodyMib: number;
  rows: number;
  complete: boolean;
  problems: unknown[];
}

/**
 * What a provider makes of an answer of 55 MiB in a process whose heap could not hold the answer's text.
 *
 * @throws Error with what the process said when it ran out of memory
 */
export async function readInSmallHeap(provider: 'us' | 'global'): Promise<Reading & { heapMib: number }> {
  const flags = [`--max-old-space-size=${HEAP_MIB}`, '--max-semi-space-size=4', '--no-warnings'];
  const script = ['--import', '@swc-node/register/esm-register', 'test/support/huge-answer-reader.ts', provider];
  const { PATH, HOME } = process.env;
  const { finished } = new Running(spawn(process.execPath, [...flags, ...script], { env: { PATH, HOME } }));
  const { code, stdout, stderr } = await finished;
  if (code !== 0) throw new Error(`the reader ended with ${code}: ${stderr.slice(-1_000)}`);
  return { ...(JSON.parse(stdout) as Reading), heapMib: HEAP_MIB };
}
