import type { SyncProblemKind } from '../sync-run.entity.js';

export interface ProblemAdvice {
  /** Whether the next sync may succeed without anybody doing anything. */
  retryable: boolean;
  /** What a person can do. */
  action: string;
}

const NEW_ACCESS = 'Get a new credential from the provider and give it to this connection; accounts and history stay.';
const WAIT = 'Nothing: it is tried again by itself.';

const ADVICE: Record<SyncProblemKind, ProblemAdvice> = {
  token_rejected: { retryable: false, action: NEW_ACCESS },
  access_revoked: { retryable: false, action: NEW_ACCESS },
  payment_required: { retryable: false, action: 'Renew the subscription at the provider, then sync this connection.' },
  rate_limited: { retryable: true, action: 'Nothing: it goes on when the provider allows more requests.' },
  network: { retryable: true, action: `${WAIT} If it stays, check that this server reaches the provider.` },
  unexpected_reply: { retryable: true, action: `${WAIT} If it stays, report it: the provider may have changed.` },
  answer_too_large: {
    retryable: false,
    action:
      'Spread the accounts over two connections at the provider, each with a setup token or API key of its own. ' +
      'If that does not help, report it.',
  },
  account_failed: {
    retryable: true,
    action: `${WAIT} If it stays, look at the provider whether the bank is connected.`,
  },
  data_incomplete: { retryable: true, action: 'Look at the provider whether the bank needs a new sign-in.' },
  foreign_currency: {
    retryable: false,
    action: 'Nothing: they are kept and listed, and the balance that the bank reports has them in it.',
  },
  synced_elsewhere: { retryable: false, action: 'Remove one of the two connections.' },
  unknown_provider: {
    retryable: false,
    action: 'Run the newest version of Tidemark, or remove this connection; its accounts and history can stay.',
  },
  internal: { retryable: true, action: `${WAIT} If it stays, the log of this service says why.` },
};

export function adviceOn(kind: SyncProblemKind): ProblemAdvice {
  return ADVICE[kind];
}
