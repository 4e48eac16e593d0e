import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

// A worker that is done frees the memory of all its suites first, which takes longer than the half second that Jest gives
// it. Jest then kills it and warns of open handles, of which there are none. An exit that is asked for frees nothing.
if (process.send) process.once('exit', (code) => process.exit(code));

/**
 * Jest's own environment with globals at full speed. Jest puts a proxy behind the global object of a test file, and V8
 * asks it at each use of `Math`, `Map` or `Promise`, which doubles what the code under test takes.
 */
export default class PlainGlobalsEnvironment extends TestEnvironment {
  constructor(config, context) {
    const { createContext, constants } = vm;
    // Older versions of Node.js only know contexts with such an object behind them.
    if (constants?.DONT_CONTEXTIFY) vm.createContext = () => createContext(constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}
