import type { Account } from '../../accounts/account.entity.js';
import { SumTooLarge } from '../../balance-engine/check-ledger.js';
import type { Steps } from '../../balance-engine/steps.js';
import { DomainError } from '../../errors/domain-error.js';
import { inSlices } from '../../time/work-slices.js';

/** Nothing can be derived of an account whose amounts add up to more than can be counted to the minor unit. */
export class UncountableAmounts extends DomainError {
  constructor({ name }: Account) {
    const message = `The amounts of ${name} add up to more than Tidemark can count exactly.`;
    super('validation_failed', message, { errors: [message] });
  }
}

/** Derives of an account, and lets other work run between the steps. @throws UncountableAmounts */
export async function deriving<T>(account: Account, steps: Steps<T>): Promise<T> {
  try {
    return await inSlices(steps);
  } catch (error) {
    throw error instanceof SumTooLarge ? new UncountableAmounts(account) : error;
  }
}
