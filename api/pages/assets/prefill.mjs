// Live marks in a pre-filled form: which values still match the EHR. Without this script, the page
// describes the values as loaded.

const form = document.getElementById('birth-form');
if (form instanceof HTMLFormElement) watch(form);

/** @param {HTMLFormElement} form */
function watch(form) {
  form.addEventListener('input', ({ target }) => {
    const field = target instanceof Element ? target.closest('[data-field]') : null;
    if (
      !(field instanceof HTMLElement) ||
      !(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
    )
      return;
    if (target.closest('[data-ehr-choice]') === null) mark(field);
    else if (target instanceof HTMLInputElement) {
      const text = target.dataset['ehr'] ?? '';
      fillIn(field, text, target.dataset['ehrValue'] ?? text);
    }
  });
  // Copies a chart value that has no code into its own field, without a request to the server.
  form.addEventListener('click', (event) => {
    const use = event.target instanceof Element ? event.target.closest('[data-ehr-use]') : null;
    const field = use?.closest('[data-field]');
    if (!(use instanceof HTMLElement) || !(field instanceof HTMLElement)) return;
    event.preventDefault();
    const text = use.dataset['ehrUse'] ?? '';
    fillIn(field, text, text);
    use.hidden = true;
    const [input] = listInputs(field);
    if (input instanceof HTMLElement) input.focus();
  });
  // Announces the origin of a value to screen readers when its field gets the focus.
  form.addEventListener('focusin', ({ target }) => {
    const field = target instanceof Element ? target.closest('[data-field]') : null;
    const note = field?.querySelector('.ehr-mark');
    if (!(target instanceof Element) || !note) return;
    const ids = (target.getAttribute('aria-describedby') ?? '').split(' ');
    if (!ids.includes(note.id))
      target.setAttribute('aria-describedby', [...ids, note.id].join(' ').trim());
  });
}

/** @param {HTMLElement} field */
function mark(field) {
  const current = readText(field);
  for (const place of field.querySelectorAll('.ehr-mark, [data-ehr-choice]')) {
    const offers = place.matches('[data-ehr]')
      ? [place]
      : [...place.querySelectorAll('[data-ehr]')];
    const held = offers.find((offer) => offer instanceof HTMLElement && isSame(offer, current));
    for (const offer of offers)
      if (offer instanceof HTMLInputElement) offer.checked = offer === held;
    show(place.querySelector('[data-ehr-same]'), held !== undefined);
    show(place.querySelector('[data-ehr-edited]'), held === undefined);
  }
}

/** @param {HTMLElement} field @param {string} text @param {string} value */
function fillIn(field, text, value) {
  const answers = text.split(';').map((one) => one.trim());
  for (const input of listInputs(field)) {
    if (input instanceof HTMLSelectElement)
      input.value = [...input.options].find((option) => isOption(option, text, value))?.value ?? '';
    else if (input.type === 'checkbox') input.checked = answers.includes(input.value);
    else if (input.type === 'radio') input.checked = input.value === text;
    else input.value = text;
  }
  mark(field);
  const [first] = listInputs(field);
  // Triggers a check of the form, as if the person had typed the value.
  first?.dispatchEvent(new Event('input', { bubbles: true }));
}

/** @param {HTMLOptionElement} option @param {string} text @param {string} value */
function isOption(option, text, value) {
  return option.value === value || option.value === text || option.text === text;
}

/** @param {HTMLElement} offer @param {string} current */
function isSame(offer, current) {
  const text = offer.dataset['ehr'] ?? '';
  return sortAnswers(current) === sortAnswers(text) || current.trim() === offer.dataset['ehrValue'];
}

/** Ignores the order of answers. @param {string} text */
function sortAnswers(text) {
  return text
    .split(';')
    .map((one) => one.trim())
    .sort()
    .join(';');
}

/** Value as it would be posted. @param {HTMLElement} field */
function readText(field) {
  const text = listInputs(field)
    .filter(
      (input) =>
        input instanceof HTMLSelectElement ||
        !['radio', 'checkbox'].includes(input.type) ||
        input.checked,
    )
    .map(({ value }) => value)
    .join('; ');
  // The answer to which of two moments a time is belongs to the time, but is posted separately.
  const which = field.querySelector(`input[name="${field.dataset['field']}_which"]:checked`);
  return which instanceof HTMLInputElement && !/(?:first|second)$/i.test(text)
    ? `${text} ${which.value}`
    : text;
}

/** @param {HTMLElement} field */
function listInputs(field) {
  return [...field.querySelectorAll('input, select')].filter(
    /** @returns {input is HTMLInputElement | HTMLSelectElement} */
    (input) => input.getAttribute('name') === field.dataset['field'],
  );
}

/** @param {Element | null} place @param {boolean} isShown */
function show(place, isShown) {
  if (place instanceof HTMLElement) place.hidden = !isShown;
}
