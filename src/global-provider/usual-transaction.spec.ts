import fc from 'fast-check';
import {
  anyAmount,
  anyFlag,
  anyId,
  anyText,
  describeUsualTransactions,
} from '../../test/contracts/usual-transaction.contract.js';
import { TRANSACTION, usualTransaction } from './payload.js';

describeUsualTransactions({
  read: usualTransaction,
  schema: TRANSACTION,
  documented: {
    id: 'tx-1',
    accountId: 7,
    amount: -12.34,
    currency: 'EUR',
    date: '2026-03-01',
    merchant: 'Baker',
    description: 'Bread',
    isPending: false,
  },
  members: {
    id: anyId,
    amount: anyAmount,
    currency: anyText,
    date: fc.oneof(fc.constant('2026-03-01'), fc.jsonValue()),
    merchant: anyText,
    merchant_name: anyText,
    description: anyText,
    isPending: anyFlag,
    pending: anyFlag,
  },
  loosely: [{ id: 7 }, { isPending: 'false' }, { date: null }],
});
