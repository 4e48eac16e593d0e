import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

// A worker that is done frees the memory of all its suites first, which takes longer than the half second that Jest gives
// it. Jest then kills it and warns of open handles, of which there are none. An exit that is asked for frees nothing.
if (process.send) process.once('exit', (code) => process.exit(code));

/** What Jest adds to the global object for one test file; the next one would go on with it. */
const OF_ONE_FILE = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL']);

/** @type {KeptEnvironment | undefined} */
let kept;

/**
 * Jest's own environment, with one global object for all test files in a worker, which the modules that `runtime.mjs` keeps
 * belong to. Its globals are at full speed: Jest puts a proxy behind the global object, and V8 asks it at each use of
 * `Math`, `Map` or `Promise`, which doubles what the code under test takes.
 */
export default class KeptEnvironment extends TestEnvironment {
  #env;
  #exit;

  constructor(config, context) {
    if (kept) return kept;
    const { createContext, constants } = vm;
    // Older versions of Node.js only know contexts with such an object behind them.
    if (constants?.DONT_CONTEXTIFY) vm.createContext = () => createContext(constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    const { env, exit } = this.global.process;
    this.#env = { ...env };
    this.#exit = exit;
    kept = this;
  }

  /** Leaves the globals as they were before the test file. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    for (const key of Object.getOwnPropertySymbols(this.global)) {
      if (OF_ONE_FILE.has(key.description)) delete this.global[key];
    }
    const { process } = this.global;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }
}
