import { MIN_PASSWORD_CHARS } from '../auth/password-rules.js';
import { isScope, SCOPES } from '../auth/scopes.js';
import { isTimeZone } from '../time/calendar-date.js';
import { listOf, UsageError, type Values } from './command-line.js';

export interface Command {
  summary: string;
  options: Record<string, { value: string; required: boolean }>;
  /** Whether this process does the jobs it enqueues. */
  needsWorker?: boolean;
  /** @throws UsageError before anything is started */
  check?: (values: Values) => void;
  /** What does it, in answers.ts. */
  answer: keyof typeof import('./answers.js');
}

const required = (value: string) => ({ value, required: true });
const optional = (value: string) => ({ value, required: false });

export const COMMANDS: Record<string, Command> = {
  'user:create': {
    summary: 'Creates a person.',
    options: { email: required('E'), password: required('P'), 'time-zone': optional('Z') },
    check: ({ email, password, 'time-zone': timeZone }) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(email ?? '')) throw new UsageError('--email must be an e-mail address.');
      if ((password ?? '').length < MIN_PASSWORD_CHARS) {
        throw new UsageError(`--password must have at least ${MIN_PASSWORD_CHARS} characters.`);
      }
      if (timeZone && !isTimeZone(timeZone)) throw new UsageError('--time-zone must be a name like Europe/Prague.');
    },
    answer: 'createUser',
  },
  'key:create': {
    summary: 'Creates an API key; the only time the key is shown.',
    options: {
      email: required('E'),
      name: required('N'),
      scopes: required('a,b'),
      'expires-at': optional('ISO'),
    },
    check: ({ scopes, 'expires-at': expiresAt }) => {
      const unknown = listOf(scopes).filter((scope) => !isScope(scope));
      if (unknown.length > 0 || listOf(scopes).length === 0) {
        throw new UsageError(`--scopes must be a list of: ${SCOPES.join(' ')}.`);
      }
      if (expiresAt && Number.isNaN(Date.parse(expiresAt)))
        throw new UsageError('--expires-at must be an ISO 8601 time.');
    },
    answer: 'createKey',
  },
  'key:revoke': {
    summary: 'Revokes an API key at once.',
    options: { id: required('ID') },
    answer: 'revokeKey',
  },
  'sync:run': {
    summary: 'Syncs now, waits, prints the finished syncs.',
    options: { connection: optional('ID') },
    needsWorker: true,
    answer: 'runSyncs',
  },
  'balances:rebuild': {
    summary: 'Derives balance history again from what is stored.',
    options: { account: optional('ID') },
    answer: 'rebuildBalances',
  },
};

export function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary, options }]) => {
    const words = Object.entries(options).map(([option, { value, required }]) =>
      required ? `--${option} ${value}` : `[--${option} ${value}]`,
    );
    return `  ${[name, ...words].join(' ')}\n      ${summary}`;
  });
  return `Usage: npm run --silent cli -- COMMAND\n\n${lines.join('\n')}`;
}
