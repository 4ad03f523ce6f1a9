// Tells a person in time that their session is about to end, and keeps what they have typed.
//
// The session is the server's: this counts the time since the last answer that any tab of the browser got,
// for each of them keeps the session up. What tabs tell one another is the time, nothing else.

const LAST_ANSWER = 'registry-last-answer';
const WARNED_BEFORE_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

const idleMs = Number(document.body.dataset['idleMinutes']) * 60_000;
const main = document.querySelector('main');

let answeredHere = Date.now();

/** Every answer of the server keeps the session up. */
const noteAnswer = () => {
  answeredHere = Date.now();
  hide();
  try {
    localStorage.setItem(LAST_ANSWER, String(answeredHere));
  } catch {
    // Private windows may refuse it: then each tab counts for itself.
  }
};

const lastAnswer = () => {
  try {
    return Math.max(answeredHere, Number(localStorage.getItem(LAST_ANSWER)));
  } catch {
    return answeredHere;
  }
};

/** @type {HTMLElement | null} */
let shown = null;

const hide = () => {
  shown?.remove();
  shown = null;
};

/** @param {string} kind @param {string} text @param {(HTMLElement)[]} ways */
const show = (kind, text, ...ways) => {
  if (shown?.dataset['kind'] === kind) return;
  hide();
  shown = document.createElement('div');
  shown.className = 'notice notice--warning session-end';
  shown.dataset['kind'] = kind;
  shown.setAttribute('role', 'alert');
  shown.append(text, ' ', ...ways);
  main?.prepend(shown);
};

const stayButton = () => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'usa-button';
  button.textContent = 'Stay signed in';
  button.addEventListener('click', async () => {
    const answer = await fetch('/account/session', { method: 'HEAD', redirect: 'manual' }).catch(
      () => null,
    );
    if (answer?.ok) noteAnswer();
  });
  return button;
};

const signInLink = () => {
  const link = document.createElement('a');
  link.href = '/sign-in';
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = 'Sign in in a new tab';
  return link;
};

/** Whether anything on the page would be lost by leaving it; what was refused is nowhere else. */
const isTyped = () =>
  document.querySelector('[data-error-summary]') !== null ||
  [...document.querySelectorAll('main form[method="post"] :is(input, select, textarea)')].some(
    (field) => {
      if (field instanceof HTMLSelectElement)
        return [...field.options].some((option) => option.selected !== option.defaultSelected);
      if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type))
        return field.checked !== field.defaultChecked;
      return (
        (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
        field.type !== 'hidden' &&
        field.value !== field.defaultValue
      );
    },
  );

const look = () => {
  const leftMs = lastAnswer() + idleMs - Date.now();
  if (leftMs > WARNED_BEFORE_MS) hide();
  else if (leftMs > 0) show('soon', 'You will be signed out in less than a minute.', stayButton());
  else if (isTyped())
    show(
      'over',
      'You have been signed out. What you typed is still on this page: sign in, come back to this tab, and send it.',
      signInLink(),
    );
  // Nobody sits there: births are not left on the screen.
  else location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
};

noteAnswer();
window.addEventListener('registry-answered', noteAnswer);
window.addEventListener('storage', ({ key }) => {
  if (key === LAST_ANSWER) look();
});
// A laptop that was asleep.
document.addEventListener('visibilitychange', look);
window.addEventListener('pageshow', look);
setInterval(look, LOOK_EVERY_MS);
