for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  const of = button.dataset['copy'] ?? '';
  const source = document.getElementById(of);
  const answer = document.querySelector(`[data-copied="${CSS.escape(of)}"]`);
  if (source === null || answer === null) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent ?? '');
      answer.textContent = 'Copied.';
    } catch {
      // Without https or permission, selects the text for the person to copy.
      getSelection()?.selectAllChildren(source);
      answer.textContent = 'Selected: copy it with Ctrl+C or ⌘C.';
    }
  });
}
