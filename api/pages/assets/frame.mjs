// What every page does with script, beyond what it does without.

/**
 * An error summary takes the focus, so that it is read out and its links are the next Tab; so does what a
 * page says first of a form that was sent.
 */
const summary = document.querySelector('[data-error-summary], [data-said-first]');
if (summary instanceof HTMLElement) summary.focus();

/** A page that answers a form takes the address of what is kept of it. */
const main = document.querySelector('main');
const returnTo = main?.dataset['returnTo'];
if (returnTo !== undefined) history.replaceState(null, '', returnTo);

/** A form that is on its way is not sent twice. Coming Back to the page makes it sendable again. */
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

/** What is folded away cannot be opened on paper. Browsers that the style sheet cannot tell so. */
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

/** A page that has been open for a while says when it is printed, not when it was loaded. */
const printed = document.querySelector('.print-only time');
if (printed instanceof HTMLTimeElement)
  window.addEventListener('beforeprint', () => {
    const now = new Date();
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: document.body.dataset['timeZone'],
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(now);
    const part = (/** @type {string} */ wanted) =>
      parts.find(({ type }) => type === wanted)?.value ?? '';
    printed.dateTime = now.toISOString();
    printed.textContent = `${part('month')} ${part('day')}, ${part('year')}, ${part('hour')}:${part('minute')}`;
  });

/** An address that names a field leads into it, also where it is folded away. */
const fragment = () => {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    // Not of ours: `#%` is no text.
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
 * Records printed with the browser's own command are logged as printed. A beacon is sent even while the
 * print dialog blocks the page. The page behind the Print button was already logged.
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
