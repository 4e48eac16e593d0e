import { Given, GivenFlag, GivenName, GivenText, GivenWhole, MAX_NAME_CHARS } from '../../http/input/given.js';
import { DEFAULT_HISTORY_DAYS, MAX_HISTORY_DAYS } from '../connections/connection.entity.js';

/** Absent, `null` or empty: the connection gets a name by itself. */
export const OwnName = (description: string) =>
  GivenText({ max: MAX_NAME_CHARS, optional: true, nullable: true, example: 'My banks', description });

/** What all providers need; `provider-requests.service.ts` adds the secret of each. */
export class ConnectRequest {
  /** Checked by the class of each provider. */
  @Given<string>({ schema: { type: String }, problemOf: () => null })
  provider: string;

  @OwnName('A name of your choice.')
  name?: string | null;

  @GivenFlag({
    default: true,
    description:
      'Whether pending transactions are imported. Ignored where the service decides it for all ' +
      'connections of the provider.',
  })
  include_pending: boolean = true;

  @GivenWhole({
    min: 1,
    max: MAX_HISTORY_DAYS,
    default: DEFAULT_HISTORY_DAYS,
    description: 'How many days of history the first sync asks for; banks often have fewer.',
  })
  history_days: number = DEFAULT_HISTORY_DAYS;
}

export class EditConnectionRequest {
  @GivenName({ optional: true, example: 'My banks' })
  name?: string;

  @GivenFlag({
    optional: true,
    description:
      'Whether pending transactions are imported. Switching it off removes the stored ones at once; ' +
      'switched on, they come with the next sync.',
  })
  include_pending?: boolean;
}

/** A new credential; `provider-requests.service.ts` adds the member of each provider. */
export class ReplaceCredentialsRequest {}

export class RemoveConnectionQuery {
  @GivenFlag({ default: false, description: '`true`: its accounts and their history are deleted, too.' })
  purge: boolean = false;
}
