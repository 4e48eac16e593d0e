import { runDemo } from './demo/run-demo.js';
import { exitOnError } from './process.js';

await exitOnError(runDemo);
