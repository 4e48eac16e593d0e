import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';

/** What all test files share in a worker, unit and end-to-end. */
const kept = { required: new Map(), imported: new Map(), ofJest: new Map(), sourceMaps: new Map() };

/**
 * Jest's own runtime, except that it loads what is under test once for all test files in a worker. Jest evaluates
 * each module again for each file: of a short end-to-end suite, three quarters of the time were the loading of the service
 * and its libraries, and running them before V8 has compiled them.
 *
 * What lies under test/ and in specs is loaded for each file: it may register hooks. Of it only the contract is kept, in
 * which the schemas of the API are compiled. Of Jest itself only what collects and runs the tests of a file is loaded anew;
 * to load `expect` and the like each time took two thirds of what an empty file takes. While watching, files change, and
 * nothing is kept.
 */
export default class KeepingRuntime extends Runtime {
  constructor(config, ...rest) {
    super(config, ...rest);
    const { watch, watchAll } = rest.at(-1);
    if (watch || watchAll) return;
    const isKept = sharedFiles(config.rootDir);
    this.registries.moduleRegistry = new Registry(kept.required, isKept);
    this.registries.esModuleRegistry = new Registry(kept.imported, isKept);
    this.registries.internalModuleRegistry = new Registry(kept.ofJest, isWithoutState);
    this.transformCache.sourceMaps = kept.sourceMaps;
  }

  /** Goes on for what it keeps: modules may import others at any time. */
  teardown() {
    this.restoreAllMocks();
    this.registries.clear();
    this.testMainModule.reset();
    this.mockState.clear();
    this.fileCache.clear();
    this.transformCache.clear();
    this.enterTestCode();
  }
}

/** The modules of one test file, by path or URL, in front of those that are kept. */
class Registry extends Map {
  #kept;
  #isKept;

  constructor(kept, isKept) {
    super();
    this.#kept = kept;
    this.#isKept = isKept;
  }

  get(key) {
    return this.#isKept(key) ? this.#kept.get(key) : super.get(key);
  }

  has(key) {
    return this.#isKept(key) ? this.#kept.has(key) : super.has(key);
  }

  set(key, module) {
    if (!this.#isKept(key)) return super.set(key, module);
    this.#kept.set(key, module);
    return this;
  }

  delete(key) {
    return this.#isKept(key) ? this.#kept.delete(key) : super.delete(key);
  }
}

/** Whether a module of Jest knows nothing of the test file that runs. @param {string} path @returns {boolean} */
function isWithoutState(path) {
  return !path.includes('/jest-circus/');
}

/** @param {string} rootDir @returns {(key: string) => boolean} */
function sharedFiles(rootDir) {
  const sources = `${rootDir}${sep}src${sep}`;
  const starts = [sources, pathToFileURL(sources).href];
  const isSource = (key) => starts.some((start) => key.startsWith(start)) && !/\.spec\.tsx?$/.test(key);
  return (key) => key.includes('/node_modules/') || isSource(key) || key.endsWith('/test/support/contract.ts');
}
