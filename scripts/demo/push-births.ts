import { setTimeout as sleep } from 'node:timers/promises';
import type { Lane } from '../../domain/intake/bfdr/place-of-birth.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { batchesOf } from '../synthesis/written-submissions.ts';
import type { DemoBirths } from './demo-births.ts';

/** A receipt at its end. */
export type CompletedReceipt = Extract<Receipt, { status: 'completed' }>;

/** How a practice's system reaches the registry. */
export interface Sender {
  readonly url: string;
  readonly token: string;
  readonly lane: Lane;
}

const BATCH = 60;
const POLL_MS = 250; // well within the rate limit

/**
 * Pushes what a system sends, in batches and in its order, as an integrator does, and polls the
 * receipts to their end.
 * @param onBatch called with the submissions of each batch when its receipt is there
 */
export const pushBirths = async (
  { url, token, lane }: Sender,
  { practice, by }: DemoBirths,
  onBatch: (submissions: number) => void,
): Promise<readonly CompletedReceipt[]> => {
  const headers = { Authorization: `Bearer ${token}` };
  const waiting: { readonly address: string; readonly submissions: number }[] = [];
  // A practice's ingestions are worked on in the order in which they came: there is no need to wait between.
  for (const { bundle, submissions } of batchesOf(by[lane], BATCH, practice, lane)) {
    const address = await push(url, headers, JSON.stringify(bundle));
    waiting.push({ address, submissions: submissions.length });
  }
  const receipts: CompletedReceipt[] = [];
  for (const { address, submissions } of waiting) {
    receipts.push(await completed(address, headers));
    onBatch(submissions);
  }
  return receipts;
};

const push = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<string> => {
  const answer = await fetch(`${url}/api/registry/fhir/Bundle`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/fhir+json' },
    body,
  });
  const address = answer.headers.get('content-location');
  if (answer.status !== 202 || address === null)
    throw new Error(`A push was answered with ${answer.status}.`);
  await answer.arrayBuffer();
  // The public address may be a proxy's that does not run here.
  return `${url}${new URL(address).pathname}`;
};

const completed = async (
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
