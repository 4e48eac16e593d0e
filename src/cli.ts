#!/usr/bin/env node
import { installModules } from './modules.js';
import { Lifecycle } from './platform/lifecycle.js';

/** As a shell says of a command that was interrupted. */
const EXIT_INTERRUPTED = 130;

await Lifecycle.run(async (lifecycle) => {
  await installModules();
  // Loaded after the modules, whose commands it lists.
  const { runCli } = await import('./operate/cli/run-cli.js');
  return runCli(process.argv.slice(2), lifecycle);
}, EXIT_INTERRUPTED);
