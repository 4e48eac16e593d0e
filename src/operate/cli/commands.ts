import { MAX_OVERLAP_HOURS } from '../../auth/api-key.js';
import { isAccountScope, isScope, SCOPES } from '../../auth/scopes.js';
import type { DoctorAnswer } from '../doctor/check.js';
import { timeZoneNamed } from '../../platform/time/time-zones.js';
import { isInstantText } from '../../platform/time/instant-text.js';
import type { SyncStatus } from '../../sync/sync-run.entity.js';
import type { RebuildAnswer, SyncsAnswer } from './answers.js';
import { FORGET_LOST } from '../../platform/vault/forget-lost.js';
import { listOf, UsageError } from '../../platform/command.js';
import type { Command } from '../../platform/module.js';
import type { RotationAnswer } from './database.command.js';
import { MODULES, ROOMS } from '../../modules.js';
import { readPassword } from './read-secret.js';

const required = (value: string) => ({ value, required: true });
const optional = (value: string) => ({ value, required: false });
const flag = { required: false };

/** How syncs end that brought nothing in. */
const UNDONE: ReadonlySet<SyncStatus> = new Set(['failed', 'cancelled']);

/** A command of answers.ts, which needs the application. */
function inApplication(answer: keyof typeof import('./answers.js'), needsWorker = false): Command['run'] {
  return (values, context) =>
    context.inApplication(async (app) => (await import('./answers.js'))[answer](app, values), { needsWorker });
}

/** Those of Tidemark itself. */
const OWN: Readonly<Record<string, Command>> = {
  'user:create': {
    summary: 'Creates a person.',
    options: {
      email: required('E'),
      'password-stdin': flag,
      password: optional('P'),
      'time-zone': optional('Z'),
    },
    check: ({ email, 'time-zone': timeZone }) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(email ?? '')) throw new UsageError('--email must be an e-mail address.');
      if (timeZone !== undefined && timeZoneNamed(timeZone) === null)
        throw new UsageError('--time-zone must be a name like Europe/Prague.');
    },
    complete: readPassword,
    run: inApplication('createUser'),
  },
  'user:reset-password': {
    summary: 'Sets a new password for a person who forgot it, and signs them out everywhere.',
    options: { email: required('E'), 'password-stdin': flag, password: optional('P') },
    complete: readPassword,
    run: inApplication('resetPassword'),
  },
  'user:reset-second-factor': {
    summary: 'Turns off the second factor of a person who lost the app and the recovery codes.',
    options: { email: required('E') },
    run: inApplication('resetSecondFactor'),
  },
  'key:create': {
    summary: 'Creates an API key, shown once.',
    options: {
      email: required('E'),
      name: required('N'),
      scopes: required('a,b'),
      accounts: optional('ID,ID'),
      'expires-at': optional('TIME'),
    },
    complete: async (values) => {
      // Declares the scopes.
      await import('../../modules.js');
      const { scopes, accounts, 'expires-at': expiresAt } = values;
      const unknown = listOf(scopes).filter((scope) => !isScope(scope));
      if (unknown.length > 0 || listOf(scopes).length === 0) {
        throw new UsageError(`--scopes must be a list of: ${SCOPES.join(' ')}.`);
      }
      const others = SCOPES.filter((scope) => listOf(scopes).includes(scope) && !isAccountScope(scope));
      if (accounts !== undefined && others.length > 0) {
        const possible = SCOPES.filter(isAccountScope).join(' ');
        throw new UsageError(`A key with --accounts cannot have ${others.join(' ')}, only: ${possible}.`);
      }
      if (expiresAt !== undefined && !isInstantText(expiresAt)) {
        throw new UsageError('--expires-at must be a time like 2027-03-02T06:17:04Z.');
      }
      return values;
    },
    run: inApplication('createKey'),
  },
  'key:rotate': {
    summary: 'Gives an API key a new secret, shown once. The old one works for another 24 hours, or N.',
    options: { id: required('ID'), 'overlap-hours': optional('N') },
    check: ({ 'overlap-hours': hours }) => {
      if (hours === undefined || (/^\d{1,3}$/.test(hours) && Number(hours) <= MAX_OVERLAP_HOURS)) return;
      throw new UsageError(`--overlap-hours must be a whole number from 0 to ${MAX_OVERLAP_HOURS}.`);
    },
    run: inApplication('rotateKey'),
  },
  'key:revoke': {
    summary: 'Revokes an API key at once.',
    options: { id: required('ID') },
    run: inApplication('revokeKey'),
  },
  'sync:run': {
    summary: 'Syncs now, waits, and prints the finished syncs.',
    options: { connection: optional('ID') },
    isBad: (answer) => {
      const { syncs, left_out: leftOut } = answer as SyncsAnswer;
      return leftOut.length > 0 || syncs.some(({ status }) => UNDONE.has(status));
    },
    run: inApplication('runSyncs', true),
  },
  'balances:rebuild': {
    summary: 'Recalculates the balance history from stored data.',
    options: { account: optional('ID') },
    isBad: (answer) => (answer as RebuildAnswer).failed > 0,
    run: inApplication('rebuildBalances'),
  },
  'secrets:rotate': {
    summary: `Seals every stored credential with the first secret of APP_SECRET. ${FORGET_LOST}`,
    options: { 'forget-lost': flag },
    isBad: (answer) => (answer as RotationAnswer).left > 0,
    run: async (values, context) => (await import('./database.command.js')).rotateSecrets(values, context),
  },
  'modules:list': {
    summary: 'Lists the modules of this install, and those whose tables the database has.',
    options: {},
    run: async (_, context) => (await import('./modules.command.js')).listModules(context),
  },
  'modules:remove': {
    summary: 'Deletes all that a module stores, after writing it to a file. Every instance must be stopped.',
    operand: 'NAME',
    options: { yes: required('NAME'), file: optional('FILE') },
    run: async (values, context) => (await import('./modules.command.js')).removeModule(values, context),
  },
  doctor: {
    summary: 'Checks this install and says what to fix.',
    options: {},
    isBad: (answer) => (answer as DoctorAnswer).checks.some(({ ok }) => !ok),
    run: async (_, { lifecycle }) => (await import('./doctor.command.js')).doctor(lifecycle),
  },
};

/** Those of Tidemark and of all parts. */
export const COMMANDS: Readonly<Record<string, Command>> = Object.fromEntries([
  ...Object.entries(OWN),
  ...[...ROOMS, ...MODULES].flatMap(({ commands = {} }) => Object.entries(commands)),
]);

/** How to run a command. */
export const CLI = 'npm run --silent cli --';

export function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary, operand, options }]) => {
    const words = Object.entries(options).map(([option, { value, required }]) => {
      const word = value ? `--${option} ${value}` : `--${option}`;
      return required ? word : `[${word}]`;
    });
    return `  ${[name, ...(operand ? [operand] : []), ...words].join(' ')}\n      ${summary}`;
  });
  return `Usage: ${CLI} COMMAND\n\n${lines.join('\n')}`;
}
