import type { SyncProblemKind } from '../sync-run.entity.js';

interface ProblemAdvice {
  /** Whether the next sync may succeed by itself. */
  retryable: boolean;
  /** What a person can do. */
  action: string;
}

const NEW_ACCESS = 'Get a new credential from the provider and reconnect with it. Accounts and history stay.';
const WAIT = 'No action needed. Tidemark retries automatically.';

const ADVICE: Record<SyncProblemKind, ProblemAdvice> = {
  token_rejected: { retryable: false, action: NEW_ACCESS },
  access_revoked: { retryable: false, action: NEW_ACCESS },
  payment_required: { retryable: false, action: 'Renew the subscription at the provider, then sync this connection.' },
  rate_limited: {
    retryable: true,
    action: 'No action needed. Syncing resumes when the provider allows more requests.',
  },
  network: {
    retryable: true,
    action: `${WAIT} If this persists, check this server’s internet connection and the provider’s website.`,
  },
  unexpected_reply: {
    retryable: true,
    action: `${WAIT} If this persists, report it: the provider may have changed its format.`,
  },
  answer_too_large: {
    retryable: false,
    action:
      'Spread the accounts over two connections at the provider, each with a setup token or API key of its own. ' +
      'If that does not help, report it.',
  },
  account_failed: {
    retryable: true,
    action: `${WAIT} If this persists, check at the provider that the bank is still connected.`,
  },
  data_incomplete: { retryable: true, action: 'Check at the provider whether the bank needs a new sign-in.' },
  unsupported_currency: {
    retryable: false,
    action: 'No action needed. The reported balance is shown, but not counted in any sum.',
  },
  foreign_currency: {
    retryable: false,
    action: 'No action needed. The transactions are listed, and the reported balance includes them.',
  },
  synced_elsewhere: { retryable: false, action: 'Remove one of the two connections.' },
  unknown_provider: {
    retryable: false,
    action: 'Run the newest version of Tidemark, or remove this connection; its accounts and history can stay.',
  },
  interrupted: {
    retryable: true,
    action: `${WAIT} If this persists, see the log of this service.`,
  },
  internal: { retryable: true, action: `${WAIT} If this persists, see the log of this service.` },
};

export function adviceOn(kind: SyncProblemKind): ProblemAdvice {
  return ADVICE[kind];
}
