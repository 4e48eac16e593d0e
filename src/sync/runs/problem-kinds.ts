import type { SyncProblem, SyncProblemKind } from '../sync-run.entity.js';

export const PROBLEM_SEVERITIES = ['failure', 'warning', 'note'] as const;
export type ProblemSeverity = (typeof PROBLEM_SEVERITIES)[number];

/** Whether a problem means that something failed, so that the run is not complete. */
export function isFailure({ kind }: Pick<SyncProblem, 'kind'>): boolean {
  return PROBLEM_KINDS[kind].severity === 'failure';
}

interface ProblemDefinition {
  severity: ProblemSeverity;
  /** Whether the next sync may succeed by itself. */
  retryable: boolean;
  /** What a person can do. */
  action: string;
}

const NEW_ACCESS = 'Get a new credential from the provider and reconnect with it. Accounts and history stay.';
const WAIT = 'No action needed. Tidemark retries automatically.';

/** How bad a problem is, and what a person can do. */
export const PROBLEM_KINDS: Record<SyncProblemKind, ProblemDefinition> = {
  token_rejected: {
    severity: 'failure',
    retryable: false,
    action: NEW_ACCESS,
  },
  access_revoked: {
    severity: 'failure',
    retryable: false,
    action: NEW_ACCESS,
  },
  payment_required: {
    severity: 'failure',
    retryable: false,
    action: 'Renew the subscription at the provider, then sync this connection.',
  },
  rate_limited: {
    severity: 'failure',
    retryable: true,
    action: 'No action needed. Syncing resumes when the provider allows more requests.',
  },
  network: {
    severity: 'failure',
    retryable: true,
    action: `${WAIT} If this persists, check this server’s internet connection and the provider’s website.`,
  },
  unexpected_reply: {
    severity: 'failure',
    retryable: true,
    action: `${WAIT} If this persists, report it to the developers of Tidemark: the provider may have changed its format.`,
  },
  answer_too_large: {
    severity: 'failure',
    retryable: false,
    action:
      'Spread the accounts over two connections at the provider, each with a setup token or API key of its own. ' +
      'If that does not help, report it to the developers of Tidemark.',
  },
  amount_too_large: {
    severity: 'failure',
    retryable: false,
    action: 'No action needed. What is known stays, and all other amounts are counted.',
  },
  account_failed: {
    severity: 'failure',
    retryable: true,
    action: 'If this persists, check at the provider that the bank is still connected.',
  },
  data_incomplete: {
    severity: 'failure',
    retryable: true,
    action: 'Check at the provider whether the bank needs a new sign-in.',
  },
  unsupported_currency: {
    severity: 'note',
    retryable: false,
    action: 'No action needed. The reported balance is shown, but not counted in any sum.',
  },
  foreign_currency: {
    severity: 'note',
    retryable: false,
    action: 'No action needed. The transactions are listed but not counted. The bank’s balance includes them.',
  },
  synced_elsewhere: {
    severity: 'failure',
    retryable: false,
    action: 'Remove one of the two connections.',
  },
  data_stale: {
    severity: 'warning',
    retryable: true,
    action:
      'Check at the provider whether the bank needs a new sign-in. If the account has ended, close it in Tidemark.',
  },
  limit_reached: {
    severity: 'failure',
    retryable: false,
    action: 'Delete accounts that you do not need, or remove a connection that lists such accounts with its data.',
  },
  unknown_provider: {
    severity: 'failure',
    retryable: false,
    action: 'Run the newest version of Tidemark, or remove this connection; its accounts and history can stay.',
  },
  interrupted: {
    severity: 'failure',
    retryable: true,
    action: `${WAIT} If this persists, see the log of this service.`,
  },
  internal: {
    severity: 'failure',
    retryable: true,
    action: `${WAIT} If this persists, see the log of this service.`,
  },
};

/** Of a `network` problem with one account, where the connection itself works. */
export const ONE_ACCOUNT_OUT_OF_REACH: ProblemDefinition = {
  ...PROBLEM_KINDS.network,
  action: `${WAIT} If this persists, check the account at the provider.`,
};
