import { CHANGE_KINDS, type ChangeKind } from '../../database/change-log/change.js';
import { GivenSomeOf, GivenText, GivenWhole } from '../../http/input/given.js';

const MAX_CURSOR_CHARS = 500;
const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 500;

/** In place of a cursor: start from now. */
export const LATEST = 'latest';

export class ChangeFeedQuery {
  @GivenText({
    optional: true,
    max: MAX_CURSOR_CHARS,
    problem: 'must be one that this route returned, or `latest`',
    description:
      'The `cursor` of the last answer. Without one: all records, then changes. `latest`: no records, ' +
      'only a cursor.',
  })
  cursor?: string;

  @GivenSomeOf(CHANGE_KINDS, {
    optional: true,
    description:
      'Only these, with commas between them. Without it: all that the key may read. Use the same ones for the life of a ' +
      'copy: of others, what is older than the cursor is missing, without an error.',
  })
  types?: ChangeKind[];

  @GivenWhole({
    min: 1,
    max: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Maximum number of records in an answer. The holdings of one account are never split.',
  })
  limit: number = DEFAULT_LIMIT;
}
