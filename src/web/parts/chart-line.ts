export interface ChartLine {
  label: string;
  /** Minor units, one a day of the chart. */
  values: readonly number[];
  /** Whether the area under the line is tinted. */
  fill?: boolean;
}

export interface ChartMark {
  /** Which of the days. */
  index: number;
  text: string;
}
