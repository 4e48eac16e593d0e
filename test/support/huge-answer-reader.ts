import { addDays } from '../../src/time/calendar-date.js';
import * as global from './scripted-global-provider.js';
import * as us from './scripted-us-provider.js';

// Reads a huge answer in a process of its own, whose heap whoever starts it has made small, and prints what came of it.

const ROWS = 5_000;
/** So many blanks after each row make a text that is much longer than what is kept of it. */
const BLANKS = ' '.repeat(11_500);

/** Bytes, which are not in the heap: what must not be there is what the reader makes of them. */
function bodyOf(answer: object, row: (index: number, day: string) => object): Buffer {
  const [head, tail] = JSON.stringify(answer).split('"transactions":[]') as [string, string];
  const parts = [Buffer.from(`${head}"transactions":[`)];
  for (let index = 0; index < ROWS; index++) {
    const text = JSON.stringify(row(index, addDays(us.TODAY, -(index % 40))));
    parts.push(Buffer.from(`${index === 0 ? '' : ','}${text}${BLANKS}`));
  }
  return Buffer.concat([...parts, Buffer.from(`]${tail}`)]);
}

const readers = {
  us: async () => {
    const provider = await us.startScriptedUsProvider();
    const row = (index: number, day: string) =>
      us.wireTransaction(`TRN-${index}`, day, `-${index % 1000}.05`, { description: `MARKET STALL ${index}` });
    const body = bodyOf(us.wireSet([us.wireAccount({ transactions: [] })]), row);
    provider.server.play((request) => (us.isForAccounts(request) ? { body } : { status: 404 }));
    return { provider, body };
  },
  global: async () => {
    const provider = await global.startScriptedGlobalProvider();
    const row = (index: number, day: string) =>
      global.wireTransaction(`${index}`, day, -(index % 1000) - 0.05, { description: `CB MARKET STALL ${index}` });
    const body = bodyOf(global.wirePage([], { total: ROWS }), row);
    provider.serve([{ wire: global.wireAccount() }], (reply, request) =>
      global.isFor('transactions')(request) ? { body } : reply,
    );
    return { provider, body };
  },
};

const { provider, body } = await readers[process.argv[2] as keyof typeof readers]();
const { accounts, problems } = await provider.snapshot({ historyFrom: addDays(us.TODAY, -43) });
await provider.server.stop();
const { transactions, complete } = accounts[0]!;
console.log(JSON.stringify({ bodyMib: body.length / 2 ** 20, rows: transactions.length, complete, problems }));
