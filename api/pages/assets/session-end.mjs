// Warns a person before their session ends. Input is preserved, but covered until they sign in
// again, because others may see the screen.
//
// The server decides when the session ends; this script only measures the time since the latest
// answer in any tab, because every answer extends the session. Tabs share this time and nothing
// else.

const LAST_ANSWER = 'registry-last-answer';
const WARNED_BEFORE_MS = 60_000;
const POLL_INTERVAL_MS = 5_000;

const idleMs = Number(document.body.dataset['idleMinutes']) * 60_000;
const main = document.querySelector('main');
const token = document.querySelector('input[name="_csrf"]');

let answeredHere = Date.now();

const noteAnswer = () => {
  answeredHere = Date.now();
  hide();
  try {
    localStorage.setItem(LAST_ANSWER, String(answeredHere));
  } catch {
    // Private windows may refuse storage; then each tab keeps its own time.
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
  const notice = document.createElement('div');
  notice.className = 'notice notice--warning';
  notice.setAttribute('role', 'alert');
  notice.append(text, ' ', ...ways);
  // On a covered page, nothing else is visible.
  const heading = document.createElement('h1');
  heading.textContent = 'Signed out';
  shown = document.createElement(isCovered() ? 'main' : 'div');
  shown.className = 'session-end';
  shown.dataset['kind'] = kind;
  shown.append(...(isCovered() ? [heading] : []), notice);
  (isCovered() ? document.body : main)?.prepend(shown);
};

const isCovered = () => document.body.dataset['covered'] === 'yes';

/** @type {Element | null} */
let focused = null;

const cover = () => {
  if (isCovered()) return;
  focused = document.activeElement;
  document.body.dataset['covered'] = 'yes';
};

const uncover = async () => {
  const answer = await askSession();
  if (answer?.status === 409)
    show(
      'another',
      'Someone else has signed in since. What was typed here shows only for the person who typed it.',
      leaveLink(),
    );
  if (!answer?.ok) return;
  delete document.body.dataset['covered'];
  noteAnswer();
  if (focused instanceof HTMLElement) focused.focus();
};

const askSession = () =>
  fetch('/account/session', {
    method: 'HEAD',
    redirect: 'manual',
    headers: token instanceof HTMLInputElement ? { 'X-CSRF-Token': token.value } : {},
  }).catch(() => null);

const stayButton = () => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'usa-button';
  button.textContent = 'Stay signed in';
  button.addEventListener('click', async () => {
    if ((await askSession())?.ok) noteAnswer();
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

const leaveLink = () => {
  const link = document.createElement('a');
  link.href = '/';
  link.textContent = 'Leave this page';
  return link;
};

/** True if leaving the page would lose input, including the input of a refused form. */
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
  if (isCovered() && leftMs > 0) void uncover();
  else if (leftMs > WARNED_BEFORE_MS) hide();
  else if (leftMs > 0) show('soon', 'You will be signed out in less than a minute.', stayButton());
  else if (isCovered() || isTyped()) {
    cover();
    show(
      'over',
      'You have been signed out. Nothing you typed is lost: sign in, then return to this tab to submit it.',
      signInLink(),
    );
  }
  // The person is away: births must not stay on the screen.
  else location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
};

noteAnswer();
window.addEventListener('registry-answered', noteAnswer);
window.addEventListener('storage', ({ key }) => {
  if (key === LAST_ANSWER) look();
});
// The laptop may have been asleep.
document.addEventListener('visibilitychange', look);
window.addEventListener('pageshow', look);
setInterval(look, POLL_INTERVAL_MS);
