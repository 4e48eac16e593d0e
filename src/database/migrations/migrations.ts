import { Migration20261121000000Foundation } from './20261121000000-foundation.js';

/** Every migration, oldest first. A migration that has been released is never edited. */
export const MIGRATIONS = [Migration20261121000000Foundation];
