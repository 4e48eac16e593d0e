import { runCli } from './operate/cli/run-cli.js';
import { Lifecycle } from './platform/lifecycle.js';

/** As a shell says of a command that was interrupted. */
const EXIT_INTERRUPTED = 130;

await Lifecycle.run((lifecycle) => runCli(process.argv.slice(2), lifecycle), EXIT_INTERRUPTED);
