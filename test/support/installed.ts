import { MODULES } from '../../src/modules.js';

/** Whether a module is in this installation: a suite of the core plays its pages only then. */
export const isInstalled = (module: string): boolean => MODULES.some(({ name }) => name === module);
