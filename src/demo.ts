import { runDemo } from './demo/run-demo.js';
import { Lifecycle } from './platform/lifecycle.js';

await Lifecycle.run(runDemo);
