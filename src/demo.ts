import { runDemo } from './operate/demo/run-demo.js';
import { Lifecycle } from './platform/lifecycle.js';

await Lifecycle.run(runDemo);
