import { installModules } from './modules.js';
import { runDemo } from './operate/demo/run-demo.js';
import { Lifecycle } from './platform/lifecycle.js';

await Lifecycle.run(async (lifecycle) => {
  await installModules();
  return runDemo(lifecycle);
});
