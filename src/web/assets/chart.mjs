// Lets the charts answer: with the day at the pointer or of the arrow keys, and with the period that is dragged over.

/** @typedef {{ label: string, values: number[], dashed: { from: number, until: number }[], change?: boolean }} Line in minor units */

/**
 * @typedef {object} ChartData
 * @property {string} currency
 * @property {number} digits decimals of the currency
 * @property {string} numberFormat the locale whose way of writing numbers is used
 * @property {string} first the first day
 * @property {number} daysApart of two values
 * @property {number} low the amount at the bottom
 * @property {number} high the amount at the top
 * @property {Line[]} lines
 * @property {{ index: number, text: string }[]} marks
 * @property {{ day: string, minor: number }} [start] what the change is counted from
 */

/** @typedef {{ name: string, minor: number }} Transaction */

const DAY_MS = 86_400_000;
/** A hand that clicks moves so little. */
const CLICK_PX = 6;
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

for (const figure of document.querySelectorAll('figure.chart')) start(figure);

/** The page has what each value adds to the one before it. @param {string} json @returns {ChartData} */
function readData(json) {
  const data = JSON.parse(json);
  for (const line of data.lines) {
    let value = 0;
    line.values = line.steps.map((/** @type {number} */ step) => (value += step));
  }
  return data;
}

/** @param {Element} figure */
function start(figure) {
  const plot = /** @type {HTMLElement} */ (figure.querySelector('.plot'));
  const data = readData(figure.querySelector('script')?.textContent ?? '{}');
  const last = (data.lines[0]?.values.length ?? 1) - 1;
  const [chosen, cursor, tip] = [add(plot, 'chosen'), add(plot, 'cursor'), add(plot, 'tip readout')];
  /** The day that is read out, and the other end of a period. */
  let at = last;
  /** @type {number | null} */
  let other = null;
  let isShown = false;
  /** Of each day. @type {Promise<Map<string, Transaction>> | null} */
  let asked = null;
  /** @type {Map<string, Transaction>} */
  let largest = new Map();

  /** @param {number} index @param {number | null} [from] */
  function show(index, from = null) {
    [at, other, isShown] = [index, from, true];
    asked ??= readLargest(figure).then((found) => {
      largest = found;
      if (isShown) show(at, other);
      return found;
    });
    const x = (/** @type {number} */ i) => (i / Math.max(1, last)) * 100;
    const y = ((data.high - (data.lines[0]?.values[at] ?? 0)) / (data.high - data.low)) * 100;
    const texts = textsOf(data, largest, at, other);
    tip.replaceChildren(
      ...texts.map(([look, text]) =>
        Object.assign(document.createElement('span'), { className: look, textContent: text }),
      ),
    );
    cursor.style.left = `${x(at)}%`;
    cursor.style.setProperty('--at', `${y}%`);
    chosen.style.left = `${x(Math.min(at, other ?? at))}%`;
    chosen.style.width = `${x(Math.abs(at - (other ?? at)))}%`;
    figure.classList.add('answers');
    // Beside the line, and within the picture.
    const room = plot.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(room, (x(at) / 100) * plot.clientWidth - tip.offsetWidth / 2))}px`;
    tip.classList.toggle('below', y < 50);
    plot.ariaValueNow = String(at);
    plot.ariaValueText = texts.map(([, text]) => text).join(', ');
  }

  function hide() {
    [other, isShown] = [null, false];
    figure.classList.remove('answers');
  }

  /** Opens the day, or the period, by the form of the page. */
  function open() {
    const [first, until] = [Math.min(at, other ?? at), Math.max(at, other ?? at)];
    if (other === null) submit(document.querySelector('#day-choice'), { day: isoOf(data, at) });
    // What changed since the end of its first day.
    else submit(document.querySelector('.period input'), { from: isoOf(data, first, 1), to: isoOf(data, until) });
  }

  /** @param {PointerEvent} event */
  function indexAt({ clientX }) {
    const { left, width } = plot.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.round(((clientX - left) / width) * last)));
  }

  plot.role = 'slider';
  [plot.ariaValueMin, plot.ariaValueMax, plot.ariaValueNow] = ['0', String(last), String(last)];
  /** Where the pointer went down. @type {{ x: number, index: number, isOpening: boolean } | null} */
  let down = null;
  plot.addEventListener('pointermove', (event) =>
    show(indexAt(event), down && indexAt(event) !== down.index ? down.index : null),
  );
  plot.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const index = indexAt(event);
    // Where there is no pointer to hover with, the first tap reads the day out.
    down = { x: event.clientX, index, isOpening: isShown && index === at };
    plot.setPointerCapture(event.pointerId);
    show(index);
  });
  plot.addEventListener('pointerup', (event) => {
    if (!down) return;
    const { x, index, isOpening } = down;
    down = null;
    const isClick = Math.abs(event.clientX - x) < CLICK_PX || indexAt(event) === index;
    show(isClick ? index : indexAt(event), isClick ? null : index);
    if (!isClick || isOpening) open();
  });
  plot.addEventListener('pointerleave', () => down || hide());
  plot.addEventListener('pointercancel', () => {
    down = null;
    hide();
  });
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') return open();
    if (event.key === 'Escape') return hide();
    /** @type {Record<string, number>} */
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 30,
      PageUp: at + 30,
      Home: 0,
      End: last,
    };
    const wanted = to[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(last, wanted));
    const from = event.shiftKey ? (other ?? at) : null;
    show(index, from === index ? null : from);
  });
}

/** @param {Element} plot @param {string} look */
function add(plot, look) {
  return plot.appendChild(Object.assign(document.createElement('div'), { className: look }));
}

/** @param {Element | null} field of a form @param {Record<string, string>} values of its fields */
function submit(field, values) {
  if (!(field instanceof HTMLInputElement) || !field.form) return;
  for (const [name, value] of Object.entries(values)) {
    const named = field.form.elements.namedItem(name);
    if (named instanceof HTMLInputElement) named.value = value;
  }
  field.form.requestSubmit();
}

/** @param {ChartData} data @param {number} index @param {number} [later] days */
function isoOf({ first, daysApart }, index, later = 0) {
  return new Date(Date.parse(first) + (index * daysApart + later) * DAY_MS).toISOString().slice(0, 10);
}

/** @param {Element} figure @returns {Promise<Map<string, Transaction>>} by day */
async function readLargest(figure) {
  const href = figure.getAttribute('data-href');
  const answer = href ? await fetch(href).catch(() => null) : null;
  // Whoever is signed out is led away from it.
  if (!answer?.ok || answer.redirected) return new Map();
  return new Map((await answer.json()).map((/** @type {Transaction & { day: string }} */ one) => [one.day, one]));
}

/**
 * What is read out of a day, or of a period.
 *
 * @param {ChartData} data
 * @param {Map<string, Transaction>} largest
 * @param {number} at
 * @param {number | null} other
 * @returns {[look: string, text: string][]}
 */
function textsOf(data, largest, at, other) {
  const dayAt = (/** @type {number} */ index) => dayText(isoOf(data, index));
  /** @param {(line: Line) => string} amountOf @returns {[string, string][]} */
  const ofLines = (amountOf) => data.lines.map((line, n) => [`key-${n + 1}`, `${line.label} ${amountOf(line)}`]);
  if (other !== null) {
    const [from, until] = [Math.min(at, other), Math.max(at, other)];
    const changes = ofLines(({ values }) => moneyText(data, (values[until] ?? 0) - (values[from] ?? 0), true));
    return [['day', `${dayAt(from)} – ${dayAt(until)}`], ...changes];
  }
  /** @type {[string, string][]} */
  const texts = [
    ['day', dayAt(at)],
    ...ofLines(({ values, dashed, change }) => {
      const isDashed = dashed.some(({ from, until }) => from <= at && at <= until);
      return (isDashed ? 'about ' : '') + moneyText(data, values[at] ?? 0, change);
    }),
  ];
  const { start } = data;
  if (start && start.day < isoOf(data, at)) {
    const change = (data.lines[0]?.values[at] ?? 0) - start.minor;
    texts.push(['', `${moneyText(data, change, true)} since ${dayText(start.day)}`]);
  }
  // Between two days that are drawn, that of all days between them.
  const days = Array.from({ length: data.daysApart }, (_, before) => isoOf(data, at, -before));
  const [most] = days.flatMap((day) => largest.get(day) ?? []).sort((a, b) => Math.abs(b.minor) - Math.abs(a.minor));
  if (most) texts.push(['', `${most.name} ${moneyText(data, most.minor, true)}`]);
  for (const { index, text } of data.marks) if (index === at) texts.push(['key-mark', text]);
  return texts;
}

/** @param {string} iso */
function dayText(iso) {
  return dayFormat.format(new Date(iso));
}

/** @param {ChartData} data @param {number} minor @param {boolean} [isChange] */
function moneyText({ currency, digits, numberFormat }, minor, isChange = false) {
  const format = new Intl.NumberFormat(numberFormat, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (isChange && minor > 0 ? '+' : '') + format.format(minor / 10 ** digits).replace('-', '−');
}
