import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The program's version from package.json. The API has its own, `v1`, in its paths. */
export const VERSION = version;
