import { createServer } from 'node:net';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import type { Config } from '../../platform/config/config.js';
import type { Check } from '../../platform/module.js';
import { bad, good } from './check.js';

const TIMEOUT_MS = 10_000;
/** A bank's day is wrong long before certificates fail. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Checks whether each provider's server answers, with whatever status. No secret is sent. */
export async function checkProviders({ providers }: Config<ProviderDescriptor>, now: () => Date): Promise<Check[]> {
  const probes = providers.flatMap(({ descriptor, settings }) => {
    const url = descriptor.probeUrl?.(settings);
    return url ? [checkProvider(`provider ${descriptor.name}`, new URL(url), now)] : [];
  });
  return Promise.all(probes);
}

async function checkProvider(name: string, url: URL, now: () => Date): Promise<Check> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
    await response.body?.cancel();
    const differenceMs = Math.abs(now().getTime() - Date.parse(response.headers.get('date') ?? ''));
    if (differenceMs > MAX_CLOCK_DIFFERENCE_MS) {
      const message = `${url.host} answers, and its clock differs by ${Math.round(differenceMs / 1000)} s from ours.`;
      return bad(name, message, 'Synchronize the clock of this machine with NTP.');
    }
    return good(name, `${url.host} answers.`);
  } catch (error) {
    const { cause, name: kind } = error as Error & { cause?: { code?: string } };
    const advice = 'Check the network, DNS and firewall of this machine; syncs need it, everything else works without.';
    return bad(name, `${url.host} cannot be reached (${cause?.code ?? kind}).`, advice);
  }
}

/** Checks whether the service's ports are free or in use by the service itself. */
export async function checkPorts({ host, port, metricsPort }: Config): Promise<Check[]> {
  const checks = [checkPort('port', 'PORT', host, port, '/health/live')];
  if (metricsPort !== null) checks.push(checkPort('metrics port', 'METRICS_PORT', host, metricsPort, '/metrics'));
  return Promise.all(checks);
}

async function checkPort(name: string, variable: string, host: string, port: number, path: string): Promise<Check> {
  if (port === 0) return good(name, 'The system picks a free one.');
  const code = await tryToListen(host, port);
  if (code === null) return good(name, `${port} on ${host} is free.`);
  if (code === 'EADDRINUSE' && (await isTidemark(host, port, path))) return good(name, `Tidemark listens on ${port}.`);
  if (code === 'EADDRINUSE') {
    return bad(name, `${port} on ${host} is taken by another program.`, `Stop it, or set ${variable} to another port.`);
  }
  return bad(
    name,
    `${host}:${port} cannot be listened on (${code}).`,
    `Set HOST and ${variable} to an address of this machine.`,
  );
}

/** @returns the error's code; `null`: the port is free */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/** Whether the answer is one that only Tidemark gives. */
async function isTidemark(host: string, port: number, path: string): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}${path}`;
  const read = async () => (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).text();
  const text = await read().catch(() => '');
  return /^(\{"status":"ok"\}|(# HELP )?tidemark_)/m.test(text);
}
