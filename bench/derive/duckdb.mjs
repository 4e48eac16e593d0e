import { DuckDBInstance } from '@duckdb/node-api';

// DuckDB as a process of its own: reads rows of account, day and amount from a CSV file, and prints how many balances, one a
// day of each account, it has made of them. It keeps them in a table, as we keep ours in memory.

const [path, accounts, days] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create()).connect();
await connection.run(`create table entries as
  select * from read_csv('${path}', header = false,
    columns = {'account': 'integer', 'day': 'integer', 'amount': 'bigint'})`);
await connection.run(`create table balances as
  select account, day, sum(coalesce(gained, 0)) over (partition by account order by day) as balance
  from range(${accounts}) a (account) cross join range(${days}) d (day)
  left join (select account, day, sum(amount) as gained from entries group by all) using (account, day)`);
const counted = await connection.runAndReadAll('select count(*) from balances');
console.log(String(counted.getRows()[0][0]));
