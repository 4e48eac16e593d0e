import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Of the program, as in package.json. The version of the API is `v1` and part of its paths. */
export const VERSION = version;
