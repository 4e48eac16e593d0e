export interface ChartLine {
  label: string;
  /** Minor units, one a day of the chart. */
  values: readonly number[];
  /** Whether the area under the line is tinted. */
  fill?: boolean;
  /** Whether they are changes, which show a plus sign too. */
  change?: boolean;
}

export interface ChartMark {
  /** Which of the days. */
  index: number;
  text: string;
}
