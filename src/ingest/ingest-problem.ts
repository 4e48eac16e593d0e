/** A part of an answer that cannot be counted. The run lists it. */
export interface IngestProblem {
  kind: 'foreign_currency' | 'synced_elsewhere' | 'data_incomplete';
  /** A sentence for the user. */
  message: string;
  /** `null` when it concerns several accounts. */
  accountId: string | null;
  /** The provider's id of the account, because an account that could not be stored has none of ours. */
  accountExternalId: string | null;
  /** With `synced_elsewhere`: the account, and the connection that syncs it. */
  elsewhere?: { accountName: string; connectionId: string; connectionName: string };
}
