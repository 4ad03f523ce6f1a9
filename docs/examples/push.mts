import { readFileSync } from 'node:fs';

const [file = '', messageId = ''] = process.argv.slice(2);
const headers = {
  Authorization: `Bearer ${process.env['TOKEN']}`,
  Accept: 'application/fhir+json',
  'Content-Type': 'application/fhir+json',
  'Idempotency-Key': messageId,
};
/** Waits as the answer asks, at least a second and at most a minute. */
const pause = (answer: Response | null) => {
  const seconds = Number(answer?.headers.get('Retry-After')) || 5;
  return new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(seconds, 1), 60) * 1000));
};

/** Repeats a request until its answer is neither 429 nor 5xx. */
const ask = async (address: string, init: RequestInit = {}): Promise<Response> => {
  for (;;) {
    const answer = await fetch(address, { headers, redirect: 'manual', ...init }).catch(() => null);
    if (answer !== null && answer.status !== 429 && answer.status < 500) return answer;
    await pause(answer);
  }
};

const push = { method: 'POST', body: readFileSync(file) };
const base = `${process.env['REGISTRY']}/api/registry/fhir`;
let answer = await ask(`${base}/Bundle`, push);
// Only the id is taken from the answer, so that the key goes to the registry alone.
const id = answer.headers.get('Content-Location')?.split('/').pop() ?? '';
while (answer.headers.has('Retry-After')) {
  await pause(answer);
  answer = await ask(`${base}/ingestions/${encodeURIComponent(id)}`);
}
console.log(await answer.text());
