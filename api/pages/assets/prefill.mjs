// The form of a pre-fill, while a person types: which values are still those of the EHR. What the
// page says without it stays true of what was there when it was loaded.

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
      take(field, text, target.dataset['ehrValue'] ?? text);
    }
  });
  // What the chart says in words is taken over where it stands, without a way to the server.
  form.addEventListener('click', (event) => {
    const use = event.target instanceof Element ? event.target.closest('[data-ehr-use]') : null;
    const field = use?.closest('[data-field]');
    if (!(use instanceof HTMLElement) || !(field instanceof HTMLElement)) return;
    event.preventDefault();
    const text = use.dataset['ehrUse'] ?? '';
    take(field, text, text);
    use.hidden = true;
    const [input] = inputsOf(field);
    if (input instanceof HTMLElement) input.focus();
  });
  // A person who listens to the page hears where the value came from as they come to its field.
  form.addEventListener('focusin', ({ target }) => {
    const field = target instanceof Element ? target.closest('[data-field]') : null;
    const note = field?.querySelector('.ehr-mark');
    if (!(target instanceof Element) || !note) return;
    const ids = (target.getAttribute('aria-describedby') ?? '').split(' ');
    if (!ids.includes(note.id))
      target.setAttribute('aria-describedby', [...ids, note.id].join(' ').trim());
  });
}

/** Says whether the field still holds what the EHR says. @param {HTMLElement} field */
function mark(field) {
  const standing = textOf(field);
  for (const place of field.querySelectorAll('.ehr-mark, [data-ehr-choice]')) {
    const offers = place.matches('[data-ehr]')
      ? [place]
      : [...place.querySelectorAll('[data-ehr]')];
    const held = offers.find((offer) => offer instanceof HTMLElement && isSame(offer, standing));
    for (const offer of offers)
      if (offer instanceof HTMLInputElement) offer.checked = offer === held;
    show(place.querySelector('[data-ehr-same]'), held !== undefined);
    show(place.querySelector('[data-ehr-edited]'), held === undefined);
  }
}

/** Writes what was chosen into the field. @param {HTMLElement} field @param {string} text @param {string} value */
function take(field, text, value) {
  const answers = text.split(';').map((one) => one.trim());
  for (const input of inputsOf(field)) {
    if (input instanceof HTMLSelectElement)
      input.value = [...input.options].find((option) => isOption(option, text, value))?.value ?? '';
    else if (input.type === 'checkbox') input.checked = answers.includes(input.value);
    else if (input.type === 'radio') input.checked = input.value === text;
    else input.value = text;
  }
  mark(field);
  const [first] = inputsOf(field);
  // So that the form is looked over again; a choice of the person's, not of a script.
  first?.dispatchEvent(new Event('input', { bubbles: true }));
}

/** @param {HTMLOptionElement} option @param {string} text @param {string} value */
function isOption(option, text, value) {
  return option.value === value || option.value === text || option.text === text;
}

/** @param {HTMLElement} offer @param {string} standing */
function isSame(offer, standing) {
  const text = offer.dataset['ehr'] ?? '';
  return sorted(standing) === sorted(text) || standing.trim() === offer.dataset['ehrValue'];
}

/** The same answers in another order are the same. @param {string} text */
function sorted(text) {
  return text
    .split(';')
    .map((one) => one.trim())
    .sort()
    .join(';');
}

/** What stands in a field, as it would be posted. @param {HTMLElement} field */
function textOf(field) {
  const text = inputsOf(field)
    .filter(
      (input) =>
        input instanceof HTMLSelectElement ||
        !['radio', 'checkbox'].includes(input.type) ||
        input.checked,
    )
    .map(({ value }) => value)
    .join('; ');
  // Which of two moments a time is, is posted beside it and belongs to it.
  const which = field.querySelector(`input[name="${field.dataset['field']}_which"]:checked`);
  return which instanceof HTMLInputElement && !/(?:first|second)$/i.test(text)
    ? `${text} ${which.value}`
    : text;
}

/** The inputs of the value itself. @param {HTMLElement} field */
function inputsOf(field) {
  return [...field.querySelectorAll('input, select')].filter(
    /** @returns {input is HTMLInputElement | HTMLSelectElement} */
    (input) => input.getAttribute('name') === field.dataset['field'],
  );
}

/** @param {Element | null} place @param {boolean} isShown */
function show(place, isShown) {
  if (place instanceof HTMLElement) place.hidden = !isShown;
}
