export interface ChartLine {
  label: string;
  /** Minor units, one a day of the chart. */
  values: readonly number[];
  /** Whether the area under the line is tinted. */
  fill?: boolean;
  /** Index of the first value that is known in full; the line is dashed before it. */
  knownFrom?: number;
  /** Whether they are changes, which show a plus sign too. */
  change?: boolean;
}

export interface ChartMark {
  /** Which of the days. */
  index: number;
  text: string;
}
