export interface ChartData {
  currency: string;
  /** The first day, and how many days the values are apart. */
  first: string;
  daysApart: number;
  lines: { label: string; values: number[] }[];
}

interface WrittenChart extends Omit<ChartData, 'lines'> {
  lines: { label: string; steps: number[] }[];
}

/** What the first chart of a page is drawn from, as its script reads it. */
export function chartIn(html: string): ChartData {
  const json = /<script type="application\/json">(.*?)<\/script>/.exec(html)![1]!;
  const chart = JSON.parse(json) as WrittenChart;
  const lines = chart.lines.map(({ steps, ...line }) => {
    let value = 0;
    return { ...line, values: steps.map((step) => (value += step)) };
  });
  return { ...chart, lines };
}
