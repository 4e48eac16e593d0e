import { describeBankProvider } from '../../../test/providers/contracts/bank-provider.contract.js';
import {
  API_KEY,
  type FakeAccount,
  isFor,
  startScriptedGlobalProvider,
  TODAY,
  wireAccount,
  wireHold,
  wireTransaction,
} from '../../../test/support/scripted-global-provider.js';
import { Secret } from '../../platform/config/secret.js';
import { addDays } from '../../platform/time/calendar-date.js';
import { globalProvider } from './global-provider.module.js';

/** One posted row every ten days of the last year, and two equal holds of yesterday. */
function transactions(): object[] {
  const booked = Array.from({ length: 37 }, (_, index) => addDays(TODAY, -10 * index));
  const holds = [wireHold(addDays(TODAY, -1), -2.3), wireHold(addDays(TODAY, -1), -2.3)];
  return [...holds, ...booked.map((day) => wireTransaction(`T-${day}`, day, -1.5))];
}

describeBankProvider('the global provider', async () => {
  const { server, provider, serve } = await startScriptedGlobalProvider();
  const first = transactions();
  const accounts: FakeAccount[] = [
    { wire: wireAccount(), transactions: first },
    { wire: wireAccount({ id: 20418, name: 'Livret' }), transactions: transactions() },
  ];
  serve(accounts);
  return {
    descriptor: globalProvider,
    provider,
    today: TODAY,
    server,
    isForTransactions: isFor('transactions'),
    addUnreadableAccount: () => accounts.push({ wire: wireAccount({ id: '' }) }),
    addUnreadableTransaction: () => first.push(wireTransaction('T-odd', TODAY, 'much')),
    addTooLargeTransaction: () => first.push(wireTransaction('T-large', TODAY, '1000000000000.01')),
    pasted: () => new Secret(` ${API_KEY}\n`),
    nonsense: new Secret('Where do I find my key?'),
  };
});
