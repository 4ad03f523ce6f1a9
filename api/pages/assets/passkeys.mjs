// Forms with a passkey: the browser creates or uses it, then the form is submitted. Without a
// challenge, the form is submitted without a passkey, and the server explains the problem.

const { startAuthentication, startRegistration } =
  /** @type {typeof import('@simplewebauthn/browser')} */ (
    Reflect.get(globalThis, 'SimpleWebAuthnBrowser')
  );

/** @param {unknown} error */
const wordsFor = (error) => {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used. The request was canceled or took too long. Try again.';
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.';
    case 'SecurityError':
      return 'Passkeys work only at the public address of this service. Open it there.';
    case 'TypeError':
      return 'The service could not be reached. Try again.';
    default:
      return 'Your browser, or this device, cannot use a passkey here.';
  }
};

/** `null` if the server refuses one. @param {HTMLFormElement} form */
const challengeFor = async (form, /** @type {string} */ address) => {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.set(name, String(value));
  const answer = await fetch(address, { method: 'POST', body: fields, redirect: 'manual' });
  const isGiven = answer.ok && answer.headers.get('Content-Type')?.startsWith('application/json');
  return isGiven ? answer.json() : null;
};

for (const part of document.querySelectorAll('[data-passkey]')) {
  const form = part.querySelector('form');
  const field = part.querySelector('input[name="passkey"]');
  const message = part.querySelector('[data-passkey-message]');
  if (!(part instanceof HTMLElement) || !(field instanceof HTMLInputElement)) continue;
  if (form === null || message === null) continue;
  const { passkey: use, challenge: address = '' } = part.dataset;

  part.hidden = false;
  window.addEventListener('pageshow', () => {
    field.value = '';
  });
  form.addEventListener('submit', async (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    message.textContent = '';
    try {
      const optionsJSON = await challengeFor(form, address);
      if (optionsJSON !== null)
        field.value = JSON.stringify(
          use === 'add'
            ? await startRegistration({ optionsJSON })
            : await startAuthentication({ optionsJSON }),
        );
      form.submit();
    } catch (error) {
      message.textContent = wordsFor(error);
      // The form may be submitted again.
      form.removeAttribute('data-sent');
    }
  });
}
