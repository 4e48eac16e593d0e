/** What could not be counted of a provider's answer. The sync still succeeds, and its run lists the problem. */
export interface IngestProblem {
  kind: 'foreign_currency' | 'synced_elsewhere';
  /** For a person. */
  message: string;
  /** `null` when it concerns several accounts. */
  accountId: string | null;
  /** The same by the provider's id, since an account that could not be stored has none of ours. */
  accountExternalId: string | null;
  /** Of `synced_elsewhere`: the account, and the connection that syncs it. */
  elsewhere?: { accountName: string; connectionId: string; connectionName: string };
}
