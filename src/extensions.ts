import type { Extension } from './extension/extension.js';

/** The installed extensions. A new one is a folder and one name here. */
export const EXTENSIONS: readonly Extension[] = [];
