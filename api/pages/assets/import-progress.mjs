const LOOKS_AGAIN_MS = 700;
const TROUBLED_MS = 3_000;

const box = document.querySelector('[data-import-progress]');
if (box instanceof HTMLElement) watch(box, box.dataset['importProgress'] ?? '');

/** @param {HTMLElement} box @param {string} figures address to poll */
function watch(box, figures) {
  const bar = box.querySelector('progress');
  const words = box.querySelector('.import-progress__words');
  const trouble = box.querySelector('.import-progress__trouble');

  async function look() {
    let waitMs = LOOKS_AGAIN_MS;
    try {
      const answer = await fetch(figures, { headers: { Accept: 'application/json' } });
      const isFigures = answer.headers.get('Content-Type')?.startsWith('application/json') === true;
      // Signed out or deleted: the reloaded page explains it.
      if (!isFigures && answer.status < 500) return location.reload();
      if (!isFigures) throw new Error('No figures.');
      /** @type {{ hasEnded: boolean, processed: number, total: number, words: string }} */
      const progress = await answer.json();
      if (progress.hasEnded) return location.reload();
      if (bar !== null) {
        bar.max = Math.max(1, progress.total);
        bar.value = progress.processed;
      }
      if (words !== null) words.textContent = progress.words;
      if (trouble !== null) trouble.textContent = '';
    } catch {
      waitMs = TROUBLED_MS;
      if (trouble !== null)
        trouble.textContent = 'The registry cannot be reached right now. Trying again.';
    }
    setTimeout(look, waitMs);
  }
  setTimeout(look, LOOKS_AGAIN_MS);
}
