/** What one round of `npm run properties` gives the suites, as JSON in the variable PROPERTY_RUN. */
export interface PropertyRun {
  seed: number;
  /** How many examples a property draws that does not say it itself. */
  numRuns: number;
  /** Where each suite adds a line with the number of examples it tried. */
  countFile: string;
}
