for (const form of document.querySelectorAll('form.drop-zone'))
  if (form instanceof HTMLFormElement) takeDrops(form);

// Keeps the browser from opening a file that is dropped outside the box.
for (const type of ['dragover', 'drop'])
  window.addEventListener(type, (event) => {
    if (hasFiles(event)) event.preventDefault();
  });

/** @param {HTMLFormElement} form */
function takeDrops(form) {
  const input = form.querySelector('input[type="file"]');
  const hint = form.querySelector('.drop-zone__hint');
  const busy = form.querySelector('.drop-zone__busy');
  if (!(input instanceof HTMLInputElement)) return;
  if (hint instanceof HTMLElement) hint.hidden = false;

  /** Number of nested elements of the box under the dragged file. */
  let over = 0;
  /** @param {number} by */
  const count = (by) => {
    over = by === 0 ? 0 : over + by;
    form.classList.toggle('drop-zone--over', over > 0);
  };
  form.addEventListener('dragenter', (event) => {
    if (hasFiles(event)) count(1);
  });
  form.addEventListener('dragleave', (event) => {
    if (hasFiles(event)) count(-1);
  });
  form.addEventListener('drop', (event) => {
    count(0);
    const files = event.dataTransfer?.files;
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    input.files = files;
    form.requestSubmit();
  });
  form.addEventListener('submit', () => {
    const file = input.files?.[0];
    if (busy !== null && file !== undefined) busy.textContent = `Checking ${file.name} …`;
  });
  window.addEventListener('pageshow', () => {
    if (busy !== null) busy.textContent = '';
  });
}

/** @param {Event} event */
function hasFiles(event) {
  return event instanceof DragEvent && event.dataTransfer?.types.includes('Files') === true;
}
