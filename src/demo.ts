import { runDemo } from './demo/run-demo.js';
import { Lifecycle } from './lifecycle.js';

await Lifecycle.run(runDemo);
