// Live help in the birth form: echoes, errors, and the draft. The server applies all rules; this
// script only sends requests to it.

const TYPING_MS = 500;
/** Values that siblings share with the first child. */
const SHARED = /^children\.\d+\.(birth_date|family_name|gestational_age_weeks)$/;
const NOT_YET = 'Your latest changes are not saved yet. Trying again.';

const form = document.getElementById('birth-form');
const statusLine = form?.querySelector('[data-birth-form]');
if (form instanceof HTMLFormElement && statusLine instanceof HTMLElement) enhance(form, statusLine);

/**
 * Reason why the form is no longer saved as a draft.
 * @typedef {'signed-out' | 'someone-else' | 'expired' | 'other-role' | 'other-tab'} Stop
 * @typedef {{ path: string, message: string }} FieldMessage
 * @typedef {{ errors: FieldMessage[], notices: FieldMessage[], echoes: Record<string, string>,
 * savedAt: string | null, isChangedElsewhere: boolean }} Checked
 */

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} statusLine status line, with the addresses of the check and of the draft
 */
function enhance(form, statusLine) {
  const check = statusLine.dataset['check'] ?? '';
  const resume = statusLine.dataset['resume'] ?? '';
  /** @type {Set<string>} fields that the person has left: only their errors are shown */
  const left = new Set();
  /** @type {number | undefined} */
  let timer;
  /** @type {AbortController | null} */
  let running = null;
  let isLeaving = false;
  /** @type {Stop | null} */
  let stopped = null;

  const scheduleCheck = () => {
    clearTimeout(timer);
    timer = window.setTimeout(runCheck, TYPING_MS);
  };

  async function runCheck() {
    clearTimeout(timer);
    running?.abort();
    if (isLeaving) return;
    running = new AbortController();
    const { signal } = running;
    countRequest();
    try {
      const answer = await post(form, check, signal);
      const reason = getStop(answer);
      if (reason !== null) return stop(reason);
      if (!answer.ok) return setStatus(NOT_YET, true);
      resumeSaving();
      show(await answer.json());
    } catch {
      if (!signal.aborted) setStatus('Your latest changes are not saved yet: no connection.', true);
    }
  }

  /**
   * Numbers the next request: an aborted one may still reach the server, after a later one. The time
   * keeps the numbers rising in a form that the browser shows again from its history.
   */
  function countRequest() {
    const edition = form.elements.namedItem('edition');
    if (!(edition instanceof HTMLInputElement)) return;
    const [revision, editor, last] = edition.value.split('.');
    const next = Math.max(Number(last ?? 0) + 1, Date.now());
    edition.value = `${revision}.${editor}.${next}`;
  }

  /** @param {Checked} checked */
  function show({ errors, notices, echoes, savedAt, isChangedElsewhere }) {
    for (const field of form.querySelectorAll('[data-field]')) {
      if (!(field instanceof HTMLElement)) continue;
      const name = field.dataset['field'] ?? '';
      setText(field.querySelector('[data-echo]'), echoes[name] ?? '');
      const wasLeft = left.has(name);
      if (wasLeft) setText(field.querySelector('[data-notice]'), joinMessages(notices, name));
      if (wasLeft || field.querySelector('.usa-error-message') !== null)
        showError(field, findMessage(errors, name));
    }
    if (isChangedElsewhere) return stop('other-tab');
    if (savedAt === null) return;
    setStatus(`Draft saved ${savedAt}`);
    // Reload, Back, or a new sign-in then opens the draft.
    if (location.pathname + location.search !== resume) history.replaceState(null, '', resume);
  }

  /** @param {string} text @param {boolean} isTrouble */
  function setStatus(text, isTrouble = false) {
    statusLine.textContent = text;
    statusLine.classList.toggle('birth-form__saved--trouble', isTrouble);
    // Retries until the input is saved.
    if (isTrouble) timer = window.setTimeout(runCheck, 5_000);
  }

  /** @param {Stop} reason */
  function stop(reason) {
    stopped = reason;
    statusLine.replaceChildren(...describeStop(reason));
    statusLine.classList.add('birth-form__saved--trouble');
  }

  /** @param {Stop} reason @returns {(string | Node)[]} */
  function describeStop(reason) {
    switch (reason) {
      case 'signed-out':
        return [
          'You are signed out. ',
          createTabLink(`/sign-in?next=${encodeURIComponent(resume)}`, 'Sign in in a new tab'),
          ', then come back. Everything you typed is still here.',
        ];
      case 'someone-else':
        return [
          'Someone else is signed in now. Nothing more is saved until you sign in again. ',
          createTabLink('/registry', 'Open a new tab'),
          ', sign out there, and sign in as yourself. Then come back: everything you typed is still here.',
        ];
      case 'expired':
        return [
          'You opened this form too long ago, or before you signed in. Your latest changes are not saved yet. Continue to the next step: everything you typed stays.',
        ];
      case 'other-tab':
        return [
          'You changed or discarded this form in another tab. Your latest changes here are not saved yet. Continue to the next step: you can then choose, and everything you typed stays.',
        ];
      case 'other-role':
        return [
          `Your role can no longer ${statusLine.dataset['work']}. Nothing more is saved. Ask an Admin.`,
        ];
    }
  }

  function resumeSaving() {
    stopped = null;
    statusLine.classList.remove('birth-form__saved--trouble');
  }

  window.addEventListener('focus', () => {
    if (stopped !== null) runCheck();
  });

  form.addEventListener('input', scheduleCheck);
  form.addEventListener('focusout', ({ target }) => {
    const name = getFieldName(target);
    if (name === undefined) return;
    // A radio group or list of checkboxes is left as a whole, not per answer.
    left.add(name);
    scheduleCheck();
  });

  form.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLButtonElement) || !['add', 'remove'].includes(target.name)) return;
    event.preventDefault();
    press(target);
  });

  /** @param {HTMLButtonElement} button */
  function press(button) {
    rearrange(button).catch(() => {
      // Submits the form as if there were no script.
      for (const part of form.querySelectorAll('[inert]')) part.removeAttribute('inert');
      form.requestSubmit(button);
    });
  }

  const pluralityButton = form.querySelector('button[name="add"][value="plurality"]');
  if (pluralityButton instanceof HTMLButtonElement) {
    pluralityButton.closest('[data-without-script]')?.toggleAttribute('hidden', true);
    form.addEventListener('change', ({ target }) => {
      if (getName(target) === 'plurality') press(pluralityButton);
    });
  }

  form.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || !isInput(target))
      return;
    const answer = key.length === 1 ? findAnswer(target, key) : null;
    if (key !== 'Enter' && answer === null) return;
    event.preventDefault();
    if (answer === null) focusNext(form, target);
    else if (answer.type === 'radio') answer.click();
    answer?.focus();
  });

  /** @type {Map<string, string>} values when they got the focus, by input name */
  const shared = new Map();
  form.addEventListener('focusin', ({ target }) => {
    const name = getName(target);
    if (SHARED.test(name) && isInput(target)) shared.set(name, target.value);
  });
  form.addEventListener('change', ({ target }) => {
    if (isInput(target)) copyToSiblings(target);
  });

  /** Skips siblings with a different value of their own. @param {Input} input */
  function copyToSiblings(input) {
    const [, field] = SHARED.exec(input.name) ?? [];
    if (field === undefined) return;
    const all = [...form.querySelectorAll('[data-one] input')].filter(
      /** @returns {one is HTMLInputElement} */
      (one) => SHARED.exec(one.getAttribute('name') ?? '')?.[1] === field,
    );
    if (all[0] !== input) return;
    const before = shared.get(input.name) ?? '';
    for (const sibling of all)
      if (sibling.value === '' || sibling.value === before) sibling.value = input.value;
    shared.set(input.name, input.value);
    scheduleCheck();
  }

  focusStart(form, statusLine);

  /** @param {HTMLButtonElement} button */
  async function rearrange(button) {
    clearTimeout(timer);
    running?.abort();
    const list = button.value.split(':')[0];
    const part = list === 'transfers' ? 'transfers' : 'children';
    const before = form.querySelector(`[data-part="${part}"]`);
    // Input during the request would be lost.
    if (before instanceof HTMLElement) before.inert = true;
    countRequest();
    const answer = await post(form, form.action, null, button);
    if (!answer.ok) throw new TypeError('The form was not rearranged.');
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const after = page.querySelector(`#birth-form [data-part="${part}"]`);
    if (before === null || after === null) throw new TypeError('The form has no such part.');
    before.replaceWith(document.importNode(after, true));
    // Typing a plurality must not move the focus down to the children.
    if (button === pluralityButton) scheduleCheck();
    else focusIn(part, button.name === 'add');
  }

  /** @param {string} part @param {boolean} isAdded */
  function focusIn(part, isAdded) {
    const ones = form.querySelectorAll(`[data-part="${part}"] [data-one]`);
    const place = isAdded
      ? ones[ones.length - 1]?.querySelector('input, select')
      : form.querySelector(`[data-part="${part}"] button[name="add"]`);
    if (place instanceof HTMLElement) place.focus();
  }

  form.addEventListener('submit', (event) => {
    // If the member's role was changed, the server explains what they may do.
    if (stopped === 'signed-out' || stopped === 'someone-else') {
      event.preventDefault();
      form.removeAttribute('data-sent');
      statusLine.scrollIntoView({ block: 'center' });
      runCheck();
      return;
    }
    isLeaving = true;
    clearTimeout(timer);
    running?.abort();
    countRequest();
  });
  window.addEventListener('pageshow', () => {
    isLeaving = false;
  });
}

/** `null` to continue. @param {Response} answer @returns {Stop | null} */
function getStop({ status }) {
  if (status === 401) return 'signed-out';
  if (status === 403) return 'other-role';
  if (status === 410) return 'expired';
  return status === 409 ? 'someone-else' : null;
}

/** @param {string} href @param {string} text */
function createTabLink(href, text) {
  const link = document.createElement('a');
  link.href = href;
  link.target = '_blank';
  link.textContent = text;
  return link;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} to
 * @param {AbortSignal | null} signal
 * @param {HTMLButtonElement | null} button
 */
async function post(form, to, signal, button = null) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') body.append(name, value);
  if (button !== null) body.append(button.name, button.value);
  const answer = await fetch(to, { method: 'POST', body, signal });
  window.dispatchEvent(new Event('registry-answered'));
  return answer;
}

/** @param {EventTarget | null} target */
function getFieldName(target) {
  const field = target instanceof Element ? target.closest('[data-field]') : null;
  return field instanceof HTMLElement ? field.dataset['field'] : undefined;
}

/** @typedef {HTMLInputElement | HTMLSelectElement} Input */

/** @param {EventTarget | null} target @returns {target is Input} */
function isInput(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

/** @param {EventTarget | null} target */
function getName(target) {
  return isInput(target) ? target.name : '';
}

/** A link to a field has priority. @param {HTMLFormElement} form @param {HTMLElement} statusLine */
function focusStart(form, statusLine) {
  // frame.mjs has already focused it.
  if (form.contains(document.getElementById(location.hash.slice(1)))) return;
  const wrong = form.querySelector('[aria-invalid="true"], .usa-form-group--error input');
  const first = statusLine.dataset['startsAt'] === 'first' ? firstField(form) : null;
  const place = wrong ?? first;
  if (place instanceof HTMLElement) place.focus({ preventScroll: place === first });
}

/** @param {HTMLFormElement} form */
function firstField(form) {
  return listStops(form)[0]?.input ?? null;
}

/** @param {HTMLFormElement} form @param {Input} from */
function focusNext(form, from) {
  const own = getGroup(from);
  const next = listStops(form).find(
    ({ group }) =>
      group !== own &&
      !group.contains(own) &&
      (own.compareDocumentPosition(group) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
  // After the last field comes the button to the answers, but never a button that saves.
  const place = next?.input ?? form.querySelector('.buttons button[name="save"][value="check"]');
  if (!(place instanceof HTMLElement)) return;
  place.focus();
  if (place instanceof HTMLInputElement && !['radio', 'checkbox'].includes(place.type))
    place.select();
}

/**
 * Inputs that Enter visits: one in each visible field, the chosen answer if any.
 * @param {HTMLFormElement} form
 * @returns {{ group: Element, input: Input }[]}
 */
function listStops(form) {
  /** @type {Map<Element, Input>} */
  const stops = new Map();
  for (const input of form.elements) {
    if (!isInput(input) || input.type === 'hidden' || input.disabled) continue;
    if (input.closest('details:not([open]), [inert], [hidden], [data-ehr-choice]') !== null)
      continue;
    const group = getGroup(input);
    const isChosen = input instanceof HTMLInputElement && input.type === 'radio' && input.checked;
    if (isChosen || !stops.has(group)) stops.set(group, input);
  }
  return [...stops].map(([group, input]) => ({ group, input }));
}

/** Outside of fields, all answers to the question. @param {Element} input */
function getGroup(input) {
  return input.closest('[data-field]') ?? input.closest('fieldset.choices') ?? input;
}

/** @param {Input} from @param {string} letter */
function findAnswer(from, letter) {
  if (!(from instanceof HTMLInputElement) || !['radio', 'checkbox'].includes(from.type))
    return null;
  const answers = [...getGroup(from).querySelectorAll('input')].filter(
    ({ name }) => name === from.name,
  );
  const place = answers.indexOf(from);
  const inOrder = [...answers.slice(place + 1), ...answers.slice(0, place + 1)];
  return (
    inOrder.find(({ labels }) =>
      labels?.[0]?.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()),
    ) ?? null
  );
}

/** @param {FieldMessage[]} messages @param {string} name */
function findMessage(messages, name) {
  return messages.find(({ path }) => path === name)?.message ?? '';
}

/**
 * @param {FieldMessage[]} messages
 * @param {string} name
 */
function joinMessages(messages, name) {
  return messages.flatMap(({ path, message }) => (path === name ? [message] : [])).join(' ');
}

/**
 * Sets a text only if it has changed: screen readers would repeat an unchanged one.
 * @param {Element | null} place
 * @param {string} text
 */
function setText(place, text) {
  if (place !== null && place.textContent !== text) place.textContent = text;
}

/** Same markup as the server. @param {HTMLElement} field @param {string} message */
function showError(field, message) {
  const group = field.querySelector('.usa-form-group, fieldset');
  const input = field.querySelector('input, select');
  if (group === null || input === null) return;
  const id = `${input.id}-error`;
  const held = group.querySelector('.usa-error-message');
  group.classList.toggle('usa-form-group--error', message !== '');
  if (message === '') {
    held?.remove();
    input.removeAttribute('aria-invalid');
    describe(input, id, false);
    return;
  }
  const error = held ?? document.createElement('p');
  error.className = 'usa-error-message';
  error.id = id;
  setText(error, message);
  if (held === null) {
    const before = group.querySelector('.usa-radio, .usa-checkbox') ?? input;
    group.insertBefore(error, before);
  }
  input.setAttribute('aria-invalid', 'true');
  describe(input, id, true);
}

/** @param {Element} input @param {string} id @param {boolean} isShown */
function describe(input, id, isShown) {
  const ids = new Set(
    (input.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one !== ''),
  );
  if (isShown) ids.add(id);
  else ids.delete(id);
  if (ids.size > 0) input.setAttribute('aria-describedby', [...ids].join(' '));
  else input.removeAttribute('aria-describedby');
}
