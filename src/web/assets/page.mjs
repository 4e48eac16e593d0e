// Small conveniences. Every page works without them.

// A double click sends a form once. Where no answer comes, it can be sent again.
const SENDING_MS = 5000;
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
  if (form.dataset.sending) return event.preventDefault();
  form.dataset.sending = 'true';
  setTimeout(() => delete form.dataset.sending, SENDING_MS);
});

// A switch keeps what was searched for since the page was loaded. Days without a named range are a range, which another replaces.
const isPeriod = (/** @type {URLSearchParams} */ query) => query.has('from') && query.has('to') && !query.has('range');
document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element && target.closest('.switch a');
  if (!(link instanceof HTMLAnchorElement)) return;
  const url = new URL(link.href);
  const here = new URLSearchParams(location.search);
  const toPeriod = isPeriod(url.searchParams);
  for (const [name, text] of here) {
    const isRange = (isPeriod(here) || toPeriod) && ['range', 'from', 'to'].includes(name);
    if (!isRange && !url.searchParams.has(name)) url.searchParams.set(name, text);
  }
  link.href = url.href;
});

// A part of a page that could not be loaded says so, until another one has come.
for (const event of ['htmx:error', 'htmx:response:error']) document.addEventListener(event, sayFailed);
document.addEventListener('htmx:after:swap', (/** @type {any} */ { detail }) => {
  // An error is swapped for nothing, and told like the others.
  if (detail?.ctx?.response?.status < 400) document.querySelector('.failed-part')?.remove();
});

/** @param {any} event */
function sayFailed({ target, detail }) {
  // Without a session the whole page goes to sign in.
  const section = target instanceof Element && !detail?.ctx?.hx?.redirect && target.closest('section');
  if (!section || document.querySelector('.failed-part')) return;
  const said = document.createElement('p');
  said.className = 'field-error failed-part';
  said.role = 'alert';
  said.textContent = 'This could not be loaded. Try again, or reload the page.';
  section.append(said);
}

// Escape closes what a person opened, and leaves the focus on what opens it again.
const openFromTheStart = new Set(document.querySelectorAll('details[open]'));
document.addEventListener('keydown', ({ key, target, isComposing }) => {
  // An open list, calendar or suggestion of a keyboard takes the key itself.
  if (key !== 'Escape' || isComposing || !(target instanceof Element) || target.matches('select, [type="date"]'))
    return;
  const details = target.closest('details[open]');
  if (!(details instanceof HTMLDetailsElement) || openFromTheStart.has(details)) return;
  details.open = false;
  details.querySelector('summary')?.focus();
});

for (const field of document.querySelectorAll('[data-time-zone]')) {
  if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}

// Browsers have a clipboard for pages over https and from this machine only. Elsewhere a click selects the whole text.
for (const button of isSecureContext ? document.querySelectorAll('[data-copy]') : []) {
  if (!(button instanceof HTMLButtonElement)) continue;
  const name = button.textContent;
  let timer = 0;
  const say = (/** @type {string} */ word) => {
    button.textContent = word;
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = name), 2000);
  };
  button.classList.add('works');
  button.addEventListener('click', () => {
    const text = document.getElementById(button.dataset.copy ?? '')?.textContent ?? '';
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Select and copy it'),
    );
  });
}
