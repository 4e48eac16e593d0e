export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** The median of the rounds' own ratios: a noisy round meets both, and their ratio hardly knows. */
export function medianRatio(values: readonly number[], peers: readonly number[]): number {
  return median(values.map((value, round) => value / peers[round]!));
}
