import type { SyncProblemResponse } from '../../sync/runs/sync.response.js';
import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { groupProblems } from './problem-groups.js';

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
  const only = (message: string) => groupProblems([problem(message)], 'Europe/Prague', null, NAMES)[0]?.findings[0];

  it('problems are grouped by their action, and the accounts with the same message are named together', () => {
    const problems = [problem('2 left out.', 'a'), problem('3 left out.', 'b'), problem('2 left out.', 'c')];
    const paid = { ...problem('Unpaid.'), action: 'Pay.' };
    const groups = groupProblems([...problems, paid], 'UTC', null, NAMES);
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
    const [group] = groupProblems([...problems, problem(left('7 transactions'), 'a')], 'UTC', null, NAMES);
    expect(group?.findings.map(({ message }) => message)).toEqual([
      '6 transactions each could not be read and were left out.',
      '7 transactions could not be read and were left out.',
    ]);
  });

  it('the name of the account at the start of a message is left out', () => {
    const problems = [problem('Mom’s: 2 left out.', 'a'), problem("Dad's 2026-01-02 (1,000): 2 left out.", 'b')];
    const [group] = groupProblems([...problems, problem('Deleted: 2 left out.', 'c')], 'UTC', null, NAMES);
    expect(group?.findings.map(({ message, accountIds }) => [message, accountIds])).toEqual([
      ['2 left out.', ['a', 'b']],
      ['Deleted: 2 left out.', ['c']],
    ]);
  });

  it('times in a problem are shown in the timezone of the person', () => {
    expect(only('Syncing can resume on 2026-11-23T14:06:23.464Z.')?.message).toBe(
      'Syncing can resume on 23 Nov 2026, 15:06.',
    );
    expect(only('History before 2026-07-06 is still missing.')?.message).toBe(
      'History before 6 Jul 2026 is still missing.',
    );
  });

  it('a problem names the provider', () => {
    const provider = { texts: { name: 'SimpleFIN' } } as ProviderDescriptor;
    const [group] = groupProblems([problem('The provider’s answer is cut off.')], 'UTC', provider, NAMES);
    expect(group?.findings[0]?.message).toBe('SimpleFIN’s answer is cut off.');
  });

  it('parser details are moved out of the message of a problem', () => {
    expect(only('The balance is not as expected at $.balance: Invalid input. It was not updated.')).toMatchObject({
      message: 'The balance could not be read. It was not updated.',
      detail: '$.balance: Invalid input',
    });
    expect(only('The list is not as expected at $: nothing.')).toMatchObject({
      message: 'The list could not be read.',
    });
  });
});
