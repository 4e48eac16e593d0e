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

// Escape closes what a person opened, and leaves the focus on what opens it again.
const openFromTheStart = new Set(document.querySelectorAll('details[open]'));
document.addEventListener('keydown', ({ key, target, isComposing }) => {
  // A list, a calendar or a keyboard's suggestion that is open has the key for itself.
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

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copy ?? '')?.textContent ?? '';
    await navigator.clipboard.writeText(text);
    const before = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = before), 2000);
  });
}
