import { setTimeout as sleep } from 'node:timers/promises';
import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { retryAfter } from '../push/registry-client.ts';
import { groupIntoBatches } from '../synthesis/written-submissions.ts';
import type { DemoBirths } from './demo-births.ts';

export type CompletedReceipt = Extract<Receipt, { status: 'completed' }>;

export interface Sender {
  readonly url: string;
  readonly token: string;
  readonly lane: Lane;
}

const BATCH = 60;
const UNAVAILABLE = 503;
const POLL_MS = 250; // well within the rate limit

/**
 * @param onBatch called with the number of submissions in each batch when its receipt is complete
 */
export const pushBirths = async (
  { url, token, lane }: Sender,
  { practice, by }: DemoBirths,
  onBatch: (submissions: number) => void,
): Promise<readonly CompletedReceipt[]> => {
  const headers = { Authorization: `Bearer ${token}` };
  const waiting: { readonly address: string; readonly submissions: number }[] = [];
  // The registry processes a practice's ingestions in order: no need to wait between batches.
  for (const { bundle, submissions } of groupIntoBatches(by[lane], BATCH, practice, lane)) {
    const address = await push(url, headers, JSON.stringify(bundle));
    waiting.push({ address, submissions: submissions.length });
  }
  const receipts: CompletedReceipt[] = [];
  for (const { address, submissions } of waiting) {
    receipts.push(await waitForReceipt(address, headers));
    onBatch(submissions);
  }
  return receipts;
};

const push = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<string> => {
  const ask = () =>
    fetch(`${url}/api/registry/fhir/Bundle`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/fhir+json' },
      body,
    });
  let answer = await ask();
  // A busy machine may have no room, or no connection to the database, for a moment.
  while (answer.status === UNAVAILABLE) {
    await answer.arrayBuffer();
    await sleep(retryAfter(answer) ?? POLL_MS);
    answer = await ask();
  }
  const address = answer.headers.get('content-location');
  if (answer.status !== 202 || address === null)
    throw new Error(`A push was answered with ${answer.status}.`);
  await answer.arrayBuffer();
  // The public address may be that of a proxy that is not running here.
  return `${url}${new URL(address).pathname}`;
};

const waitForReceipt = async (
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<CompletedReceipt> => {
  for (;;) {
    const receipt = (await (await fetch(address, { headers })).json()) as Receipt;
    if (receipt.status === 'completed') return receipt;
    if (receipt.status === 'failed') throw new Error('An ingestion of the demo failed.');
    await sleep(POLL_MS);
  }
};
