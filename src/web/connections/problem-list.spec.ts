import type { SyncProblemResponse } from '../../sync/runs/sync.response.js';
import { groupProblems } from './problem-list.js';

function problem(message: string, accountId: string | null = null): SyncProblemResponse {
  return {
    kind: 'data_incomplete',
    severity: 'failure',
    message,
    action: 'Wait.',
    retryable: true,
    account_id: accountId,
  };
}

describe('groupProblems', () => {
  const NAMES = new Map([
    ['a', 'Mom’s'],
    ['b', "Dad's 2026-01-02 (1,000)"],
  ]);

  it('problems are grouped by their action, and the accounts with the same message are named together', () => {
    const problems = [problem('2 left out.', 'a'), problem('3 left out.', 'b'), problem('2 left out.', 'c')];
    const paid = { ...problem('Unpaid.'), action: 'Pay.' };
    const groups = groupProblems([...problems, paid], NAMES);
    expect(
      groups.map(({ action, findings }) => [
        action,
        ...findings.map(({ message, accountIds }) => [message, accountIds]),
      ]),
    ).toEqual([
      ['Wait.', ['2 left out.', ['a', 'c']], ['3 left out.', ['b']]],
      ['Pay.', ['Unpaid.', []]],
    ]);
  });

  it('a number of transactions that several accounts share is said to be of each', () => {
    const left = (count: string) => `${count} could not be read and were left out.`;
    const problems = [problem(left('6 transactions'), 'a'), problem(left('6 transactions'), 'b')];
    const [group] = groupProblems([...problems, problem(left('7 transactions'), 'a')], NAMES);
    expect(group?.findings.map(({ message }) => message)).toEqual([
      '6 transactions each could not be read and were left out.',
      '7 transactions could not be read and were left out.',
    ]);
  });

  it('the name of the account at the start of a message is left out', () => {
    const problems = [problem('Mom’s: 2 left out.', 'a'), problem("Dad's 2026-01-02 (1,000): 2 left out.", 'b')];
    const [group] = groupProblems([...problems, problem('Deleted: 2 left out.', 'c')], NAMES);
    expect(group?.findings.map(({ message, accountIds }) => [message, accountIds])).toEqual([
      ['2 left out.', ['a', 'b']],
      ['Deleted: 2 left out.', ['c']],
    ]);
  });
});
