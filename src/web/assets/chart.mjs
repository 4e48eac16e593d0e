// Turns the pictures of the charts into charts that answer to pointer and arrow keys.

/** @typedef {{ from: number, until: number }} Stretch of indices */

/** @typedef {{ label: string, values: number[], fill?: boolean, dashed: Stretch[], change?: boolean }} Line in minor units */

/**
 * @typedef {object} ChartData
 * @property {string} currency
 * @property {number} digits decimals of the currency
 * @property {string} numberFormat the locale whose way of writing numbers is used
 * @property {boolean} hasZero whether the axis begins at zero, so that areas may be tinted
 * @property {{ first: string } & ({ count: number, step: number } | { offsets: number[] })} days offsets from the first
 * @property {Line[]} lines
 * @property {{ index: number, text: string }[]} marks
 * @property {string} [dayHref] where a day's record is, with the date put at its end
 */

const DAY_S = 86_400;
/** Between two labels: days, months and years. */
const STEPS_D = [1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 120, 180, 365, 730, 1825, 3650, 7300];
/** Of a short label; with more, the whole amount is easier to read. */
const MAX_LABEL_DIGITS = 4;
const AXIS_FONT = '12px Inter, system-ui, sans-serif';
const UPlot = /** @type {typeof import('uplot')} */ (/** @type {any} */ (window).uPlot);
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

for (const figure of document.querySelectorAll('figure.chart')) {
  if (figure instanceof HTMLElement) start(figure);
}

/** @param {HTMLElement} figure */
function start(figure) {
  const plot = /** @type {HTMLElement} */ (figure.querySelector('.plot'));
  const data = readData(figure.querySelector('script')?.textContent ?? '{}');
  const chart = draw(plot, figure, data);
  new ResizeObserver(() => chart.setSize(sizeOf(plot))).observe(plot);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => chart.redraw(false, true));
  listenToKeys(plot, chart, data);
}

/** The page has what each value adds to the one before it. @param {string} json @returns {ChartData} */
function readData(json) {
  const data = JSON.parse(json);
  for (const line of data.lines) {
    let value = 0;
    line.values = line.steps.map((/** @type {number} */ step) => (value += step));
  }
  return data;
}

/**
 * @param {HTMLElement} plot
 * @param {HTMLElement} figure
 * @param {ChartData} data
 */
function draw(plot, figure, data) {
  const xs = Array.from({ length: countOf(data) }, (_, i) => dateAt(data, i).getTime() / 1000);
  const scale = 10 ** data.digits;
  const parts = data.lines.flatMap((line, at) => partsOf(line, at, scale));
  const color = (/** @type {string} */ name) => getComputedStyle(figure).getPropertyValue(name);
  plot.replaceChildren();
  return new UPlot(
    {
      ...sizeOf(plot),
      legend: { show: false },
      padding: [10, 6, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: { y: { range: (_, min, max) => rangeOf(min, max, data) } },
      axes: [timeAxis(color), moneyAxis(color, data)],
      series: [{}, ...parts.map((part) => series(part, color))],
      hooks: {
        setCursor: [(chart) => readOut(figure, data, chart.cursor.idx ?? null)],
        draw: [(chart) => drawMarks(chart, xs, data, color)],
      },
    },
    [xs, ...parts.map(({ column }) => column)],
    plot,
  );
}

/** @param {number | null} min @param {number | null} max @param {ChartData} data */
function rangeOf(min, max, { hasZero }) {
  const end = { pad: 0.1, soft: 0, mode: /** @type {0 | 1} */ (hasZero ? 1 : 0) };
  return UPlot.rangeNum(min ?? 0, max ?? 0, { min: end, max: end });
}

/** @param {HTMLElement} plot */
function sizeOf(plot) {
  return { width: plot.clientWidth, height: plot.clientHeight };
}

/**
 * What is drawn of one line: dashed where it is not known for certain, solid elsewhere.
 *
 * @typedef {{ label: string, name: string, isDashed: boolean, isFilled: boolean, column: (number | null)[] }} Part
 * @param {ChartData['lines'][number]} line
 * @param {number} at
 * @param {number} scale minor units in one unit
 * @returns {Part[]}
 */
function partsOf({ label, values, fill = false, dashed }, at, scale) {
  const name = `--line-${at + 1}`;
  const column = (/** @type {(index: number) => boolean} */ isShown) =>
    values.map((value, index) => (isShown(index) ? value / scale : null));
  /** @param {number} index @param {number} more points at each end, to which it leads */
  const isDashed = (index, more) => dashed.some(({ from, until }) => from - more <= index && index <= until + more);
  const known = { label, name, isDashed: false, isFilled: fill, column: column((index) => !isDashed(index, 0)) };
  if (dashed.length === 0) return [known];
  return [{ label, name, isDashed: true, isFilled: false, column: column((index) => isDashed(index, 1)) }, known];
}

/**
 * @param {Part} part
 * @param {(name: string) => string} color
 * @returns {import('uplot').Series}
 */
function series({ label, name, isDashed, isFilled }, color) {
  return {
    label,
    // Two lines differ in more than their colour; dashes say something else.
    width: name === '--line-1' ? 2 : 1,
    points: { show: false },
    stroke: () => resolved(color(name)),
    ...(isDashed && { dash: [5, 5] }),
    ...(isFilled && { fill: () => tinted(resolved(color(name))) }),
  };
}

/** `light-dark()` in a custom property is not resolved until something is painted with it. @param {string} value */
function resolved(value) {
  const probe = document.createElement('i');
  probe.style.color = value;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** @param {string} rgb */
function tinted(rgb) {
  return rgb.replace('rgb(', 'rgba(').replace(')', ', 0.1)');
}

/** @param {(name: string) => string} color @returns {import('uplot').Axis} */
function timeAxis(color) {
  return {
    stroke: () => resolved(color('--quiet')),
    font: AXIS_FONT,
    grid: { show: false },
    ticks: { show: false },
    space: (_, __, ___, ____, width) => (width < 240 ? 62 : 76),
    size: 26,
    gap: 6,
    incrs: STEPS_D.map((days) => days * DAY_S),
    values: (chart, splits, __, ___, stepS) =>
      splits.map((seconds, i) => (isCut(chart, seconds) ? '' : timeText(seconds, stepS, splits[i - 1]))),
  };
}

/** Whether there is no room for a label at its right. @param {import('uplot')} chart @param {number} seconds */
function isCut(chart, seconds) {
  const { min = 0, max = 0 } = chart.scales.x ?? {};
  return max > min && ((max - seconds) / (max - min)) * chart.width < 18;
}

/**
 * A month has its year where that is not the year of the label before.
 *
 * @param {number} seconds
 * @param {number} stepS
 * @param {number} [beforeS]
 */
function timeText(seconds, stepS, beforeS) {
  const at = new Date(seconds * 1000);
  const isOtherYear = beforeS === undefined || new Date(beforeS * 1000).getUTCFullYear() !== at.getUTCFullYear();
  const options = /** @type {Intl.DateTimeFormatOptions} */ (
    stepS >= 300 * DAY_S
      ? { year: 'numeric' }
      : stepS >= 27 * DAY_S
        ? { month: 'short', year: isOtherYear ? 'numeric' : undefined }
        : { day: 'numeric', month: 'short' }
  );
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(at);
}

/** @param {(name: string) => string} color @param {ChartData} data @returns {import('uplot').Axis} */
function moneyAxis(color, data) {
  return {
    stroke: () => resolved(color('--quiet')),
    font: AXIS_FONT,
    grid: { stroke: () => resolved(color('--line')), width: 1 },
    ticks: { show: false },
    size: (chart, labels) => 16 + Math.max(0, ...(labels ?? []).map((label) => widthOf(label, chart))),
    gap: 8,
    space: 44,
    // No step is smaller than the smallest unit of the currency.
    incrs: Array.from({ length: 16 + data.digits }, (_, i) =>
      [1, 2, 5].map((step) => step * 10 ** (i - data.digits)),
    ).flat(),
    values: (_, splits) => moneyLabels(splits, data),
  };
}

/** @param {string} label @param {import('uplot')} chart */
function widthOf(label, { ctx }) {
  ctx.save();
  ctx.font = AXIS_FONT;
  const { width } = ctx.measureText(label);
  ctx.restore();
  return width;
}

/** As short as they are all different. @param {number[]} values @param {ChartData} data @returns {string[]} */
function moneyLabels(values, { currency, digits, numberFormat }) {
  const labelsOf = (/** @type {Intl.NumberFormatOptions} */ options) => {
    const format = new Intl.NumberFormat(numberFormat, {
      style: 'currency',
      currency,
      minimumFractionDigits: 0,
      ...options,
    });
    return values.map((value) => format.format(value).replace('-', '−'));
  };
  for (let short = 2; short <= MAX_LABEL_DIGITS; short++) {
    const labels = labelsOf({ notation: 'compact', maximumFractionDigits: short });
    if (new Set(labels).size === labels.length) return labels;
  }
  return labelsOf({ maximumFractionDigits: digits });
}

/**
 * @param {import('uplot')} chart
 * @param {number[]} xs
 * @param {ChartData} data
 * @param {(name: string) => string} color
 */
function drawMarks(chart, xs, data, color) {
  const { ctx } = chart;
  ctx.save();
  ctx.fillStyle = resolved(color('--mark'));
  for (const { index } of data.marks) {
    const value = (data.lines[0]?.values[index] ?? 0) / 10 ** data.digits;
    ctx.beginPath();
    ctx.arc(chart.valToPos(xs[index] ?? 0, 'x', true), chart.valToPos(value, 'y', true), 3.5 * devicePixelRatio, 0, 7);
    ctx.fill();
  }
  ctx.restore();
}

/** @param {ChartData} data */
function countOf({ days }) {
  return 'offsets' in days ? days.offsets.length : days.count;
}

/** @param {ChartData} data @param {number} index */
function dateAt({ days }, index) {
  const offset = 'offsets' in days ? (days.offsets[index] ?? 0) : index * days.step;
  return new Date(Date.parse(days.first) + offset * DAY_S * 1000);
}

/** Shows what is under the cursor as text, also to screen readers. @param {HTMLElement} figure @param {ChartData} data @param {number | null} index */
function readOut(figure, data, index) {
  const readout = /** @type {HTMLElement} */ (figure.querySelector('.readout'));
  const point = index ?? countOf(data) - 1;
  const money = new Intl.NumberFormat(data.numberFormat, {
    style: 'currency',
    currency: data.currency,
    minimumFractionDigits: data.digits,
    maximumFractionDigits: data.digits,
  });
  const day = document.createElement('b');
  day.textContent = dayFormat.format(dateAt(data, point));
  const parts = data.lines.map(({ label, values, dashed, change }, at) => {
    const value = (values[point] ?? 0) / 10 ** data.digits;
    const sign = change && value > 0 ? '+' : '';
    const isDashed = dashed.some(({ from, until }) => from <= point && point <= until);
    const amount = sign + money.format(value).replace('-', '−');
    return spanOf(`key-${at + 1}`, `${label} ${isDashed ? 'about ' : ''}${amount}`);
  });
  const marks = data.marks.filter((mark) => mark.index === point).map(({ text }) => spanOf('key-mark', text));
  readout.replaceChildren(day, ...parts, ...marks);
  const plot = /** @type {HTMLElement} */ (figure.querySelector('.plot'));
  plot.ariaValueNow = String(point);
  plot.ariaValueText = [...readout.children].map(({ textContent }) => textContent).join(', ');
}

/** @param {string} className @param {string} text */
function spanOf(className, text) {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
}

/** @param {HTMLElement} plot @param {import('uplot')} chart @param {ChartData} data */
function listenToKeys(plot, chart, data) {
  const last = countOf(data) - 1;
  plot.role = 'slider';
  plot.ariaValueMin = '0';
  plot.ariaValueMax = String(last);
  let index = last;
  const open = () => {
    if (!data.dayHref) return;
    const url = data.dayHref + dateAt(data, index).toISOString().slice(0, 10);
    /** @type {any} */ (window).htmx.ajax('GET', url, { source: plot, target: '#day', swap: 'outerMorph' });
  };
  const show = () => {
    chart.setCursor({ left: chart.valToPos(chart.data[0][index] ?? 0, 'x'), top: 0 });
  };
  plot.addEventListener('keydown', (event) => {
    /** @type {Record<string, number>} */
    const to = {
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      PageDown: index - 30,
      PageUp: index + 30,
      Home: 0,
      End: last,
    };
    if (event.key === 'Enter') return open();
    const wanted = to[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    index = Math.min(last, Math.max(0, wanted));
    show();
  });
  chart.over.addEventListener('click', () => {
    index = chart.cursor.idx ?? last;
    open();
  });
  if (data.dayHref) chart.over.style.cursor = 'pointer';
}
