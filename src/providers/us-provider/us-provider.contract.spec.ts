import { describeBankProvider } from '../../../test/providers/contracts/bank-provider.contract.js';
import {
  isForAccounts,
  isForTransactions,
  startScriptedUsProvider,
  TODAY,
  wireAccount,
  wireHold,
  wireSet,
  wireTransaction,
} from '../../../test/support/scripted-us-provider.js';
import { Secret } from '../../platform/config/secret.js';
import { addDays, type CalendarDate, dateOfUnixSeconds, unixSecondsOf } from '../../platform/time/calendar-date.js';
import { usProvider } from './us-provider.module.js';

/** One posted row every ten days of the asked window, and a hold of yesterday in the newest one. */
function rowsOf(query: URLSearchParams): object[] {
  const from = dateOfUnixSeconds(Number(query.get('start-date')));
  const end = query.get('end-date');
  const until: CalendarDate = end === null ? addDays(TODAY, 1) : dateOfUnixSeconds(Number(end));
  const rows: object[] = [];
  for (let day = addDays(until, -1); day >= from; day = addDays(day, -10))
    rows.push(wireTransaction(`T-${day}`, day, '-1.50'));
  const isNewest = unixSecondsOf(until) > unixSecondsOf(TODAY);
  return query.has('pending') && isNewest ? [...rows, wireHold('H-1', addDays(TODAY, -1), '-7.00')] : rows;
}

describeBankProvider('the US provider', async () => {
  const { server, provider, credential } = await startScriptedUsProvider();
  const [unreadableAccounts, unreadableTransactions]: [object[], object[]] = [[], []];
  server.play((request) => {
    if (request.method === 'POST') return { body: `${credential.reveal()}\n` };
    if (!isForAccounts(request)) return { body: { versions: ['1.0'] } };
    const transactions = rowsOf(request.query);
    const first = wireAccount({ transactions: [...transactions, ...unreadableTransactions] });
    const second = wireAccount({ id: 'ACT-2', transactions });
    return { body: wireSet([first, second, ...unreadableAccounts]) };
  });
  return {
    descriptor: usProvider,
    provider,
    today: TODAY,
    server,
    isForTransactions,
    addUnreadableAccount: () => unreadableAccounts.push({ name: 'Without an id' }),
    addUnreadableTransaction: () => unreadableTransactions.push(wireTransaction('T-odd', TODAY, 'much')),
    addTooLargeTransaction: () => unreadableTransactions.push(wireTransaction('T-large', TODAY, '1000000000000.01')),
    pasted: () => new Secret(Buffer.from(`${server.url}/simplefin/claim/CODE`).toString('base64')),
    nonsense: new Secret('Where do I find my token?'),
  };
});
