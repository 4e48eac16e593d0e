import { runDemo } from './demo/run-demo.js';
import { Lifecycle } from './bootstrap/lifecycle.js';

await Lifecycle.run(runDemo);
