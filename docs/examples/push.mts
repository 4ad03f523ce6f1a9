import { readFileSync } from 'node:fs';

const [file = '', messageId = ''] = process.argv.slice(2);
const headers = {
  Authorization: `Bearer ${process.env['TOKEN']}`,
  Accept: 'application/fhir+json',
  'Content-Type': 'application/fhir+json',
  'Idempotency-Key': messageId,
};
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Repeats a request until its answer is neither 429 nor 5xx. */
const ask = async (address: string, init: RequestInit = {}): Promise<Response> => {
  for (;;) {
    const answer = await fetch(address, { headers, ...init }).catch(() => null);
    if (answer !== null && answer.status !== 429 && answer.status < 500) return answer;
    await pause(Number(answer?.headers.get('Retry-After') ?? 5));
  }
};

const push = { method: 'POST', body: readFileSync(file) };
let answer = await ask(`${process.env['REGISTRY']}/api/registry/fhir/Bundle`, push);
const address = answer.headers.get('Content-Location') ?? '';
while (answer.headers.has('Retry-After')) {
  await pause(Number(answer.headers.get('Retry-After')));
  answer = await ask(address);
}
console.log(await answer.text());
