// Small conveniences. Every page works without them.

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
