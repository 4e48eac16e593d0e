/** Why a balance was restated. */
export const RESTATEMENT_REASONS = [
  'late_transaction',
  'changed_transaction',
  'removed_transaction',
  'new_reading',
  'corrected_type',
  'merged_account',
  'recalculated',
] as const;
export type RestatementReason = (typeof RESTATEMENT_REASONS)[number];
