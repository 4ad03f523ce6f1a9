import { ACCEPTED } from '../../throw-away/units.ts';
import type { Answer } from './answers.ts';
import { MARKER } from './attempt.ts';
import type { Findings } from './findings.ts';

const EVERY = 10;
const OK = 200;

/** Addresses of some of the receipts that the service has promised. */
export const newReceiptSample = () => {
  const addresses: string[] = [];
  let accepted = 0;
  return {
    take({ status, head }: Answer): void {
      if (status !== ACCEPTED) return;
      const address = /^content-location: *(\S+)/im.exec(head)?.[1];
      if (accepted % EVERY === 0 && address !== undefined) addresses.push(address);
      accepted += 1;
    },
    taken: (): readonly string[] => addresses,
  };
};

interface Receipt {
  readonly status?: string;
  readonly outcome?: {
    readonly rejected?: readonly { readonly outcome?: unknown }[];
  };
}

/** Reads receipts: each has come to an end, and no diagnostics repeat what was submitted. */
export const checkReceipts = async (
  url: string,
  token: string,
  addresses: readonly string[],
  findings: Findings,
): Promise<void> => {
  for (const address of addresses) {
    const { pathname } = new URL(address, url);
    const answer = await fetch(`${url}${pathname}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const receipt = (await answer.json()) as Receipt;
    findings.count('receipts read');
    if (answer.status !== OK || receipt.status !== 'completed')
      findings.fault('a receipt', `${answer.status}, ${receipt.status}`);
    // The reference of an entry is a chart number, which its sender knows.
    const outcomes = (receipt.outcome?.rejected ?? []).map(({ outcome }) => outcome);
    if (JSON.stringify(outcomes).includes(MARKER))
      findings.fault('a submitted value in a receipt', String(answer.status));
  }
};
