const LOOKS_AGAIN_MS = 500;
const MAX_POLLS = 60;

const button = document.getElementById('send-test-birth');
const result = document.getElementById('test-birth-result');
if (button instanceof HTMLButtonElement && result !== null) offer(button, result);

/** @param {HTMLButtonElement} send @param {HTMLElement} shown */
function offer(send, shown) {
  send.hidden = false;
  send.addEventListener('click', async () => {
    send.disabled = true;
    shown.textContent = 'Sending …';
    try {
      await sendTestBirth(shown);
    } catch {
      shown.textContent = 'The registry cannot be reached right now. Try again in a moment.';
    }
    send.disabled = false;
  });
}

/** @param {HTMLElement} shown */
async function sendTestBirth(shown) {
  const authorization = `Bearer ${textOf('minted-token')}`;
  const sent = await fetch('/api/registry/fhir/Bundle', {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/fhir+json' },
    body: textOf('test-birth-bundle'),
  });
  if (sent.status !== 202) {
    shown.textContent = `The registry answered ${sent.status}. ${await reasonIn(sent)}`;
    return;
  }
  shown.textContent = '202: the birth is in the queue. Waiting for its receipt …';
  const { pathname } = new URL(sent.headers.get('Content-Location') ?? '', location.href);
  for (let look = 0; look < MAX_POLLS; look += 1) {
    const answer = await fetch(pathname, { headers: { Authorization: authorization } });
    if (answer.status === 403) {
      shown.textContent =
        '202: the birth is in the queue. This key cannot read results; find the birth under Records.';
      return;
    }
    if (answer.status === 401) {
      shown.textContent = '202: the birth is in the queue. This key has been revoked since.';
      return;
    }
    // A busy registry answers on the next poll.
    const receipt = answer.ok ? await answer.json() : {};
    if (receipt.status === 'completed') {
      showOutcome(shown, receipt.outcome);
      return;
    }
    if (receipt.status === 'failed') {
      shown.textContent = `The birth was not recorded. ${receipt.outcome.error}`;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOKS_AGAIN_MS));
  }
  shown.textContent =
    'The birth is still in the queue. Its result will show below the keys, under Integrations.';
}

/** @param {Response} answer */
async function reasonIn(answer) {
  if (answer.status === 429) return 'Too many requests came at once. Try again in a minute.';
  const outcome = await answer.json().catch(() => ({}));
  return diagnosticsOf(outcome);
}

/**
 * @param {HTMLElement} shown
 * @param {{
 *   accepted: { reference: string, submission_uuid: string, amended?: boolean }[],
 *   rejected: { outcome: object }[]
 * }} outcome
 */
function showOutcome(shown, { accepted: [record], rejected: [refused] }) {
  if (record === undefined) {
    shown.textContent = `The birth was rejected. ${diagnosticsOf(refused?.outcome ?? {})}`;
    return;
  }
  const link = document.createElement('a');
  link.href = `/registry/records/${record.submission_uuid}`;
  link.textContent = 'Open the record';
  const done = record.amended === true ? 'amended' : 'recorded';
  shown.replaceChildren(`Accepted: ${record.reference} is ${done}. `, link);
}

/** @param {{ issue?: { diagnostics?: string }[] }} outcome */
function diagnosticsOf({ issue = [] }) {
  return issue.map(({ diagnostics = '' }) => diagnostics).join(' ');
}

/** @param {string} id */
function textOf(id) {
  return document.getElementById(id)?.textContent?.trim() ?? '';
}
