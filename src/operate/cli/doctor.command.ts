import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { type Config, readConfig } from '../../platform/config/config.js';
import type { Check } from '../../platform/module.js';
import { bad, type DoctorAnswer } from '../doctor/check.js';
import { examineInstall } from '../doctor/examine-install.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import { StartupError } from '../../platform/config/startup-error.js';
import { MODULES } from '../../modules.js';
import { PROVIDERS } from '../../providers/installed.js';

/** The table is text for people, so it goes to stderr. */
export async function doctor(lifecycle: Lifecycle): Promise<DoctorAnswer> {
  const answer = await examine(lifecycle);
  process.stderr.write(`${findingsTable(answer.checks)}\n`);
  return answer;
}

async function examine(lifecycle: Lifecycle): Promise<DoctorAnswer> {
  let config: Config<ProviderDescriptor>;
  try {
    config = readConfig(PROVIDERS, MODULES);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const message = error.message.split('\n').map((line) => line.trim());
    return { checks: [bad('environment', message.join(' '), 'Correct these variables; .env.example describes all.')] };
  }
  return { checks: await lifecycle.unlessStopping(examineInstall(config, lifecycle)) };
}

/** For people: one line for each check, and below it what to do. */
function findingsTable(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, ok, message, advice }) => [
    `${ok ? 'ok ' : 'BAD'}  ${name.padEnd(width)}  ${message}`,
    ...(advice ? [`${' '.repeat(width + 7)}-> ${advice}`] : []),
  ]);
  const badCount = checks.filter(({ ok }) => !ok).length;
  return [...lines, badCount === 0 ? 'All is well.' : `${badCount} of ${checks.length} checks are bad.`].join('\n');
}
