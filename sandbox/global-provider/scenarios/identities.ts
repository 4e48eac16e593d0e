import { eachAccount, eachTransaction } from '../../household-edits.js';
import type { WireTransaction } from '../body.js';
import type { Scenario } from '../scenario.js';

/** Ids that are less unique, or less lasting, than one would like. */
export const IDENTITIES: readonly Scenario[] = [
  {
    name: 'ids-unstable',
    plays: 'Every sync meets new ids for the same transactions.',
    household: (household, { visit }) =>
      eachTransaction(household, (item) => (item.posted === null ? item : { ...item, id: `${item.id} ${visit}` })),
  },
  {
    name: 'ids-shared',
    plays: 'Every account numbers its transactions from 1: the same ids in all of them.',
    household: (household) =>
      eachAccount(household, (account) => ({
        ...account,
        transactions: account.transactions.map((item, index) =>
          item.posted === null ? item : { ...item, id: `row ${index + 1}` },
        ),
      })),
  },
  {
    name: 'ids-twice',
    plays: 'The newest posted transaction of every answer is listed twice.',
    transactions: ({ transactions, total }) => {
      const twice = transactions.find(({ isPending }) => !isPending);
      return twice ? { transactions: [...transactions, twice], total: total + 1 } : { transactions, total };
    },
  },
  {
    name: 'ids-as-numbers',
    plays: "Transactions' ids are numbers.",
    transactions: ({ transactions, total }) => ({ transactions: transactions.map(numbered), total }),
  },
  {
    name: 'equal-rows',
    plays: 'Every transaction happens twice on its day: equal in all but the id, and both are real.',
    household: (household) =>
      eachAccount(household, (account) => ({
        ...account,
        transactions: account.transactions.flatMap((item) => [
          item,
          { ...item, id: `${item.id} again`, originId: `${item.originId} again` },
        ]),
      })),
  },
];

function numbered({ id, ...row }: WireTransaction) {
  return { ...row, id: id && Number.parseInt(id.slice(0, 12), 16) };
}
