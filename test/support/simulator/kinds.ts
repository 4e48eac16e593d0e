import { PLAIN_BANKS, type Kind } from './bank.js';
import { MIXTURES } from './mixtures.js';

/** All kinds of banks that are played: plain ones with a household of all kinds of accounts, and mixtures. */
export const KINDS: Record<string, Kind> = {
  ...Object.fromEntries(Object.entries(PLAIN_BANKS).map(([name, makeBank]) => [name, { makeBank, members: null }])),
  ...MIXTURES,
};
