import type { Account } from '../accounts/account.entity.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import type { IngestProblem } from './ingest-problem.js';
import type { MissingVerdict } from './matching/judge-missing.js';

/** An answer that lacks most stored transactions is probably an error of the bank. */
export function tooManyMissingProblem(
  { id: accountId }: Account,
  { externalId, name }: SnapshotAccount,
  { missingCount, listedCount }: MissingVerdict,
): IngestProblem {
  return {
    kind: 'data_incomplete',
    message:
      `${name}: the provider’s answer lacks ${missingCount} of ${missingCount + listedCount} transactions of the days ` +
      'it covers. They are kept, because banks hardly ever withdraw so many.',
    accountId,
    accountExternalId: externalId,
  };
}
