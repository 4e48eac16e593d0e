/** A database cannot be distributed, for a reason that a person can remove. The message is one sentence. */
export class DistributionRefusal extends Error {
  override readonly name = 'DistributionRefusal';
}
