// Brings Swagger UI when somebody opens it or comes to one of its operations.

const SCRIPT = /** @type {HTMLScriptElement} */ (document.currentScript).src;
const SCRIPTS = ['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'swagger-ui-init.js'];

/** Beside the folder of this script, wherever a proxy serves it. @param {string} name */
const addressOf = (name) => new URL(`../docs/${name}`, SCRIPT).href;

/** @param {string} name @returns {Promise<unknown>} */
function loadScript(name) {
  const script = document.createElement('script');
  script.src = addressOf(name);
  return new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name} could not be loaded`));
    document.head.append(script);
  });
}

function loadStyle() {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = addressOf('swagger-ui.css');
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error('the style could not be loaded'));
    // Before ours, which makes it look like the other pages.
    document.head.prepend(link);
  });
}

/** Its dark look follows a class; ours follows the theme of the person, or the device. */
function followTheme() {
  const device = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    const { theme } = document.documentElement.dataset;
    document.documentElement.classList.toggle('dark-mode', theme ? theme === 'dark' : device.matches);
  };
  device.addEventListener('change', show);
  show();
}

// An earlier version kept the key in the browser, also after its person had signed out.
try {
  localStorage.removeItem('authorized');
} catch {
  // Without a storage there is no key in it.
}

let isOpen = false;

async function open() {
  if (isOpen) return;
  isOpen = true;
  const button = document.querySelector('[data-explorer]');
  button?.setAttribute('aria-busy', 'true');
  try {
    await loadStyle();
    for (const name of SCRIPTS) await loadScript(name);
    followTheme();
    document.documentElement.classList.add('explorer');
    // The start script waits for the event that has been.
    window.onload?.(new Event('load'));
  } catch {
    isOpen = false;
    const said = document.createElement('p');
    said.className = 'field-error';
    said.role = 'alert';
    said.textContent = 'Swagger UI could not be loaded. Reload the page to try again.';
    button?.replaceWith(said);
  } finally {
    button?.removeAttribute('aria-busy');
  }
}

const wanted = () => /^#(\/|explorer)/.test(location.hash);
addEventListener('hashchange', () => wanted() && void open());
if (wanted()) void open();
