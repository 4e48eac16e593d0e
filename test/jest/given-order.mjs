import { resolve } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** The suites in the order in which the command line names them. */
export default class GivenOrderSequencer extends Sequencer {
  #paths;

  constructor(options) {
    super(options);
    this.#paths = options.globalConfig.nonFlagArgs.map((path) => resolve(path));
  }

  sort(tests) {
    return [...tests].sort((one, other) => this.#paths.indexOf(one.path) - this.#paths.indexOf(other.path));
  }
}
