// Enhancements of every page; all pages also work without them.

/** Focuses it so that screen readers announce it and Tab reaches its links next. */
const summary = document.querySelector('[data-error-summary], [data-focus-first]');
if (summary instanceof HTMLElement) summary.focus();

const main = document.querySelector('main');
const returnTo = main?.dataset['returnTo'];
if (returnTo !== undefined) history.replaceState(null, '', returnTo);

/** Prevents a form from being submitted twice. Returning with Back enables it again. */
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (!(form instanceof HTMLElement)) return;
    if (form.dataset['sent'] === 'yes') event.preventDefault();
    form.dataset['sent'] = 'yes';
  });
}
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]'))
    form.removeAttribute('data-sent');
});

/** Opens collapsed parts for printing in browsers in which CSS cannot do it. */
if (!CSS.supports('selector(::details-content)')) {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details')].filter(({ open }) => !open);
    for (const details of opened) details.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
}

/** Prints the current time rather than the time of loading. */
const printed = document.querySelector('.print-only time');
if (printed instanceof HTMLTimeElement)
  window.addEventListener('beforeprint', () => {
    const now = new Date();
    const format = JSON.parse(document.body.dataset['timeFormat'] ?? '{}');
    printed.dateTime = now.toISOString();
    // From its parts, like the server: browsers use other spaces and separators.
    const parts = new Intl.DateTimeFormat('en-US', format).formatToParts(now);
    const part = (/** @type {string} */ wanted) =>
      parts.find(({ type }) => type === wanted)?.value ?? '';
    const time = `${part('hour')}:${part('minute')} ${part('dayPeriod')}`.trim();
    printed.textContent = `${part('month')} ${part('day')}, ${part('year')}, ${time}`;
  });

/** Focuses the field in the address's fragment and opens the collapsed parts around it. */
const fragment = () => {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    // Malformed fragment, such as `#%`.
    return '';
  }
};
const named = document.getElementById(fragment());
if (named instanceof HTMLElement && named.matches('input, select, textarea')) {
  for (
    let fold = named.closest('details');
    fold;
    fold = fold.parentElement?.closest('details') ?? null
  )
    fold.open = true;
  named.focus();
}

/**
 * Logs records that are printed with the browser's own command. A beacon is sent even while the
 * print dialog blocks the page. The Print button's page was already logged.
 */
const onPage = document.querySelector('[data-records]');
const { shown, records } = onPage instanceof HTMLElement ? onPage.dataset : {};
const token = document.querySelector('input[name="_csrf"]');
let isNoted = main?.dataset['print'] === 'now';
if (shown !== undefined && records !== undefined && token instanceof HTMLInputElement)
  window.addEventListener('beforeprint', () => {
    if (!isNoted)
      navigator.sendBeacon(
        '/registry/printed',
        new URLSearchParams({ _csrf: token.value, place: shown, records }),
      );
    isNoted = false;
  });
if (isNoted) window.addEventListener('load', () => window.print());
