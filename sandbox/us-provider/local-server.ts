import type { SandboxOptions } from '../handler.js';
import { startSandbox, type LocalSandbox } from '../local-server.js';
import { createUsSandbox } from './server.js';
import { freshSetupToken } from './setup-token.js';

export interface LocalUsSandbox extends LocalSandbox {
  setupToken(scenario: string): string;
}

/** The US provider's sandbox on a free loopback port, for a test or a script. */
export async function startUsSandbox(options: SandboxOptions): Promise<LocalUsSandbox> {
  const local = await startSandbox(createUsSandbox, options);
  return { ...local, setupToken: (scenario) => freshSetupToken(local.url, scenario) };
}
