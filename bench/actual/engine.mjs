import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as actual from '@actual-app/api';

// Actual's engine as a process of its own: imports the rows of each file of the command line into one account, one file
// after the other, and prints how many seconds each took and how many rows were new. No network, no parsing.

const print = console.log;
console.log = console.info = () => {};
const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
try {
  await actual.init({ dataDir });
  let account = '';
  await actual.runImport('bench', async () => {
    account = await actual.createAccount({ name: 'Checking', type: 'checking' }, 0);
  });
  const imports = [];
  for (const path of process.argv.slice(2)) {
    const rows = JSON.parse(await readFile(path, 'utf8'));
    const begun = performance.now();
    const { added } = await actual.importTransactions(account, rows);
    imports.push({ seconds: (performance.now() - begun) / 1000, added: added.length });
  }
  print(JSON.stringify(imports));
  await actual.shutdown();
} finally {
  await rm(dataDir, { recursive: true });
}
