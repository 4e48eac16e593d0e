import type { SandboxOptions } from '../handler.js';
import { startSandbox, type LocalSandbox } from '../local-server.js';
import { sandboxBaseUrl } from './api-key.js';
import { createGlobalSandbox } from './server.js';

export interface LocalGlobalSandbox extends LocalSandbox {
  /** What a client is configured with. */
  baseUrl: string;
}

/** The global provider's sandbox on a free loopback port, for a test or a script. */
export async function startGlobalSandbox(options: SandboxOptions): Promise<LocalGlobalSandbox> {
  const local = await startSandbox(createGlobalSandbox, options);
  return { ...local, baseUrl: sandboxBaseUrl(local.url) };
}
