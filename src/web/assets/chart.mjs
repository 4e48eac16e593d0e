// Lets the charts answer: with the day at the pointer or of the arrow keys, and with the period that is dragged over.

/**
 * @typedef {object} ChartData amounts in minor units
 * @property {string} currency
 * @property {number} digits decimals of the currency
 * @property {string} numberFormat the locale whose way of writing numbers is used
 * @property {string} first the first day
 * @property {number} daysApart of two values
 * @property {number} low the amount at the bottom
 * @property {number} high the amount at the top
 * @property {string} label
 * @property {number[]} values
 * @property {{ from: number, until: number }[]} dashed
 * @property {{ from: number, until: number, below: number, above: number }[]} doubts
 * @property {{ index: number, text: string }[]} marks
 * @property {{ day: string, minor: number }} start what the change is counted from
 */

/** @typedef {{ day: string, name: string, minor: number }} Transaction */

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

/** The page has what each value adds to the one before it. @param {Element} figure @returns {ChartData} */
function dataOf(figure) {
  const data = JSON.parse(figure.querySelector('script')?.textContent ?? '');
  let value = 0;
  data.values = data.values.map((/** @type {number} */ step) => (value += step));
  return data;
}

/** @param {Element} figure */
function start(figure) {
  const plot = /** @type {HTMLElement} */ (figure.querySelector('.plot'));
  const data = dataOf(figure);
  const last = data.values.length - 1;
  const [chosen, cursor, tip] = [add(plot, 'chosen'), add(plot, 'cursor'), add(plot, 'tip')];
  /** Of each day, once asked for. @type {Map<string, Transaction> | null} */
  let largest = null;
  /** The day that is read out, and the other end of a period. */
  let at = last;
  /** @type {number | null} */
  let other = null;
  let isShown = false;

  /** @param {number} index @param {number | null} [from] */
  function show(index, from = null) {
    [at, other, isShown] = [index, from, true];
    if (!largest) {
      largest = new Map();
      void readLargest(figure, largest).then(() => isShown && show(at, other));
    }
    const texts = textsOf(data, largest, at, other);
    tip.replaceChildren(...texts.map((text) => Object.assign(document.createElement('span'), { textContent: text })));
    const x = (/** @type {number} */ i) => (i / last) * 100;
    const y = ((data.high - (data.values[at] ?? 0)) / (data.high - data.low)) * 100;
    cursor.style.left = `${x(at)}%`;
    cursor.style.setProperty('--at', `${y}%`);
    chosen.style.left = `${x(Math.min(at, other ?? at))}%`;
    chosen.style.width = `${x(Math.abs(at - (other ?? at)))}%`;
    figure.classList.add('answers');
    // At the pointer, within the picture, and not on the line.
    const room = plot.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(room, (x(at) / 100) * plot.clientWidth - tip.offsetWidth / 2))}px`;
    tip.classList.toggle('below', y < 50);
    plot.ariaValueNow = String(at);
    plot.ariaValueText = texts.join(', ');
  }

  function hide() {
    [other, isShown] = [null, false];
    figure.classList.remove('answers');
  }

  /** Opens the day, or the period, by the form of the page. */
  function open() {
    if (other === null) return submit('#day-choice', { day: isoOf(data, at) });
    // A period begins at the end of its first day.
    submit('.period input', { from: isoOf(data, Math.min(at, other), 1), to: isoOf(data, Math.max(at, other)) });
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
  plot.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const index = indexAt(event);
    // Where no pointer hovers, the first tap reads the day out.
    down = { x: event.clientX, index, isOpening: isShown && index === at };
    plot.setPointerCapture(event.pointerId);
    show(index);
  });
  plot.addEventListener('pointermove', (event) => {
    const isDrag = down && Math.abs(event.clientX - down.x) >= CLICK_PX && indexAt(event) !== down.index;
    if (!down || isDrag) show(indexAt(event), down && down.index);
  });
  plot.addEventListener('pointerup', () => {
    if (down && (other !== null || down.isOpening)) open();
    down = null;
  });
  // A finger leaves after each tap.
  plot.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && !down && hide());
  plot.addEventListener('pointercancel', () => (down = null));
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

/** @param {string} field of the form @param {Record<string, string>} values of its fields */
function submit(field, values) {
  const { form } = /** @type {HTMLInputElement} */ (document.querySelector(field));
  for (const [name, value] of Object.entries(values)) {
    const named = /** @type {HTMLInputElement} */ (form?.elements.namedItem(name));
    named.value = value;
  }
  form?.requestSubmit();
}

/** @param {ChartData} data @param {number} index @param {number} [later] days */
function isoOf({ first, daysApart }, index, later = 0) {
  return new Date(Date.parse(first) + (index * daysApart + later) * DAY_MS).toISOString().slice(0, 10);
}

/** @param {Element} figure @param {Map<string, Transaction>} largest by day */
async function readLargest(figure, largest) {
  const href = figure.getAttribute('data-href');
  const answer = href ? await fetch(href).catch(() => null) : null;
  // Whoever is signed out is led away from it.
  if (!answer?.ok || answer.redirected) return;
  for (const /** @type {Transaction} */ one of await answer.json()) largest.set(one.day, one);
}

/**
 * What is read out of a day, or of a period.
 *
 * @param {ChartData} data
 * @param {Map<string, Transaction>} largest
 * @param {number} at
 * @param {number | null} other
 */
function textsOf(data, largest, at, other) {
  const { label, values, dashed, doubts, marks, start } = data;
  const valueAt = (/** @type {number} */ index) => values[index] ?? 0;
  const dayAt = (/** @type {number} */ index) => dayText(isoOf(data, index));
  if (other !== null) {
    // It is named as its page names it, which begins at the end of the first day.
    const [from, until] = [Math.min(at, other), Math.max(at, other)];
    return [`${dayText(isoOf(data, from, 1))} – ${dayAt(until)}`, changeText(data, valueAt(until) - valueAt(from))];
  }
  const about = dashed.some(({ from, until }) => from <= at && at <= until) ? 'about ' : '';
  const texts = [dayAt(at), `${label} ${about}${moneyText(data, valueAt(at))}`];
  const doubt = doubts.find(({ from, until }) => from <= at && at <= until);
  if (doubt) {
    const others = [-doubt.below, doubt.above].filter((minor) => minor !== 0);
    texts.push(`possibly ${others.map((minor) => moneyText(data, valueAt(at) + minor)).join(' to ')}`);
  }
  if (start.day < isoOf(data, at)) {
    texts.push(`${changeText(data, valueAt(at) - start.minor)} since ${dayText(start.day)}`);
  }
  // Between two days that are drawn, that of all days between them.
  const days = Array.from({ length: data.daysApart }, (_, before) => isoOf(data, at, -before));
  const [most] = days.flatMap((day) => largest.get(day) ?? []).sort((a, b) => Math.abs(b.minor) - Math.abs(a.minor));
  if (most) texts.push(`Largest: ${most.name} ${changeText(data, most.minor)}`);
  return [...texts, ...marks.filter(({ index }) => index === at).map(({ text }) => text)];
}

/** @param {string} iso */
function dayText(iso) {
  return dayFormat.format(new Date(iso));
}

/** @param {ChartData} data @param {number} minor */
function moneyText({ currency, digits, numberFormat }, minor) {
  const [minimumFractionDigits, maximumFractionDigits] = [digits, digits];
  const options = { style: 'currency', currency, minimumFractionDigits, maximumFractionDigits };
  const format = new Intl.NumberFormat(numberFormat, /** @type {Intl.NumberFormatOptions} */ (options));
  return format.format(minor / 10 ** digits).replace('-', '−');
}

/** @param {ChartData} data @param {number} minor */
function changeText(data, minor) {
  return (minor > 0 ? '+' : '') + moneyText(data, minor);
}
