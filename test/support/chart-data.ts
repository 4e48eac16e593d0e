export interface ChartData {
  currency: string;
  /** The first day, and how many days the values are apart. */
  first: string;
  daysApart: number;
  label: string;
  values: number[];
  marks: { index: number; text: string }[];
  start: { day: string; minor: number };
}

/** What the first chart of a page is drawn from, as its script reads it. */
export function chartIn(html: string): ChartData {
  const json = /<script type="application\/json">(.*?)<\/script>/.exec(html)![1]!;
  const chart = JSON.parse(json) as ChartData;
  let value = 0;
  return { ...chart, values: chart.values.map((step) => (value += step)) };
}
