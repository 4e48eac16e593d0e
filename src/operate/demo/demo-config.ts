import { join } from 'node:path';
import { type AddressInfo, createServer } from 'node:net';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { type Config, readConfig } from '../../platform/config/config.js';
import { MODULES } from '../../modules.js';
import { PROVIDERS } from '../../providers/installed.js';
import { sandboxBaseUrl } from '../../../sandbox/global-provider/api-key.js';
import { RATES_PATH } from '../../../sandbox/rates.js';

const SETTINGS: NodeJS.ProcessEnv = {
  SANDBOX: '1',
  PROVIDER_ALLOW_PRIVATE_NETWORK: '1',
  USPROVIDER_ALLOWED_HOSTS: '*',
  GLOBALPROVIDER_INCLUDE_PENDING: '1',
  DATABASE_URL: '',
  LOG_LEVEL: 'error',
};
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The service is its own provider, so it must know its port before it listens. */
export async function demoConfig(): Promise<Config<ProviderDescriptor>> {
  const { host, port: usual, dataDir } = readConfig(PROVIDERS, MODULES, SETTINGS);
  const port = await tryPort(host, usual).catch(() => tryPort(host, 0));
  const named = host.includes(':') ? `[${host}]` : host;
  const origin = `http://${EVERY_ADDRESS.has(host) ? '127.0.0.1' : named}:${port}`;
  const settings = { PORT: String(port), DATA_DIR: join(dataDir, 'demo') };
  const played = { GLOBALPROVIDER_BASE_URL: sandboxBaseUrl(origin), RATES_URL: origin + RATES_PATH };
  return readConfig(PROVIDERS, MODULES, { ...SETTINGS, ...settings, ...played });
}

/** Listens for a moment. @param port 0: the system picks a free one @returns the port */
function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
    });
  });
}
