import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import type { Config } from '../config/config.js';
import { bad, type DoctorAnswer } from '../doctor/check.js';
import { examineInstall } from '../doctor/examine-install.js';
import { findingsTable } from '../doctor/findings-table.js';
import type { Lifecycle } from '../bootstrap/lifecycle.js';
import { StartupError } from '../config/startup-error.js';
import { readServiceConfig } from './with-application.js';

/** The table is text for people, so it goes to stderr. */
export async function doctor(lifecycle: Lifecycle): Promise<DoctorAnswer> {
  const answer = await examine(lifecycle);
  process.stderr.write(`${findingsTable(answer.checks)}\n`);
  return answer;
}

async function examine(lifecycle: Lifecycle): Promise<DoctorAnswer> {
  let config: Config<ProviderDescriptor>;
  try {
    config = readServiceConfig();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const message = error.message.split('\n').map((line) => line.trim());
    return { checks: [bad('environment', message.join(' '), 'Correct these variables; .env.example describes all.')] };
  }
  return { checks: await examineInstall(config, lifecycle) };
}
