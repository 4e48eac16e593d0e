import fc from 'fast-check';
import {
  anyAmount,
  anyFlag,
  anyId,
  anyText,
  describeUsualTransactions,
} from '../../test/contracts/usual-transaction.contract.js';
import { TRANSACTION, usualTransaction } from './payload.js';

const anySeconds = fc.oneof(fc.nat(), fc.constantFrom(Infinity, NaN, '7', null), fc.jsonValue());

describeUsualTransactions({
  read: usualTransaction,
  schema: TRANSACTION,
  documented: {
    id: 'tx-1',
    posted: 1_793_448_000,
    transacted_at: 1_793_448_000,
    amount: '-12.34',
    description: 'Bread',
    payee: 'Baker',
    memo: 'CARD 7',
    pending: false,
    mcc: '5499',
  },
  members: {
    id: anyId,
    amount: anyAmount,
    posted: anySeconds,
    transacted_at: anySeconds,
    pending: anyFlag,
    description: anyText,
    payee: anyText,
    memo: anyText,
    currency: anyText,
  },
  loosely: [{ id: 7 }, { posted: '7' }, { pending: 'false' }],
});
