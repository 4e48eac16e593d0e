import { runCli } from './cli/run-cli.js';
import { exitOnError } from './process.js';

await exitOnError(async () => {
  process.exit(await runCli(process.argv.slice(2)));
});
