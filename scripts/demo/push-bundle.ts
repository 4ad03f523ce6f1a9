import { setTimeout as sleep } from 'node:timers/promises';
/** What became of a pushed Bundle. */
export interface PushedBundle {
  /** Status line of the answer to the push. */
  readonly answer: string;
  /** Address of the receipt. */
  readonly address: string;
  readonly receipt: {
    readonly status: string;
    readonly accepted?: number;
    readonly rejected?: number;
  };
}

const POLL_MS = 500; // well within the rate limit

/** Pushes a Bundle as an integrator does, and polls its receipt to the end. */
export const pushBundle = async (
  url: string,
  token: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<PushedBundle> => {
  const headers = { Authorization: `Bearer ${token}` };
  const pushed = await fetch(`${url}/api/registry/fhir/Bundle`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/fhir+json' },
    body,
  });
  const address = pushed.headers.get('content-location');
  if (pushed.status !== 202 || address === null)
    throw new Error(`The push was answered with ${pushed.status}.`);
  for (;;) {
    const receipt = (await (await fetch(address, { headers })).json()) as PushedBundle['receipt'];
    if (receipt.status === 'completed' || receipt.status === 'failed')
      return { answer: `${pushed.status} ${pushed.statusText}`, address, receipt };
    await sleep(POLL_MS);
  }
};
