import { gatherSyncedElsewhere, SyncedElsewhere } from './ingest-problem.js';

const account = (name: string) => ({ id: `id of ${name}`, name });
const problem = (name: string, keeper: string) =>
  new SyncedElsewhere(account(name), { id: `id of ${keeper}`, name: keeper }).toProblem(`provider's id of ${name}`);

describe('gatherSyncedElsewhere', () => {
  it('accounts synced by other connections are one problem per connection, at the place of its first one', () => {
    const network = { kind: 'network' as const, message: 'No answer.', accountId: null, accountExternalId: null };
    const problems = [
      ...[problem('Checking', 'Home'), network, problem('Savings', 'Work')],
      ...[problem('Visa', 'Home'), problem('Loan', 'Home')],
    ];
    const gathered = gatherSyncedElsewhere(problems);
    expect(gathered.map(({ message }) => message)).toEqual([
      '“Checking”, “Visa” and “Loan” are already synced by the connection “Home” and skipped here, so that nothing counts twice.',
      'No answer.',
      '“Savings” is already synced by the connection “Work” and skipped here, so that nothing counts twice.',
    ]);
    expect(gathered.map(({ accountId }) => accountId)).toEqual([null, null, 'id of Savings']);
  });
});
