import { setTimeout as sleep } from 'node:timers/promises';
import type { Outbox, Outcome } from './outbox.ts';
import type { PushItem } from './read-items.ts';
import type { RegistryClient } from './registry-client.ts';

/** The outcome of one Bundle. */
export interface PushedItem {
  readonly name: string;
  readonly outcome: Outcome;
  readonly receipt: string | null;
  /** Why it was not accepted, in the words of the registry, which quotes no submitted value. */
  readonly diagnostics: readonly string[];
}

/** Bundles that were sent, and whose receipts are awaited. */
const MAX_AWAITED_RECEIPTS = 200;

/** Why a Bundle is not even sent. */
export const TOO_LARGE = 'The Bundle is larger than 20 MiB.';

/**
 * Sends Bundles one after the other, for an amendment must not overtake what it amends, and reads their
 * receipts meanwhile. What an earlier run has sent is not sent again.
 * @param onOutcome called once for each Bundle, when its receipt is there
 * @throws what the client throws; everything that was sent by then is in the outbox
 */
export const pushItems = async (
  items: AsyncIterable<PushItem>,
  outbox: Outbox,
  client: RegistryClient,
  onOutcome: (item: PushedItem) => void,
): Promise<void> => {
  const awaited = new Set<Promise<void>>();
  let fault: { readonly error: unknown } | null = null;

  const finish = async (id: string, item: PushedItem): Promise<void> => {
    const { name: _, receipt, ...rest } = item;
    const { failures } = outbox.find(id);
    await outbox.record(id, {
      failures: item.outcome === 'failed' ? failures + 1 : failures,
      ...(receipt !== null && { receipt }),
      ...rest,
    });
    onOutcome(item);
  };

  const readReceipt = async (
    id: string,
    name: string,
    receipt: string,
    afterMs: number,
  ): Promise<void> => {
    let waitMs = afterMs;
    while (fault === null) {
      await sleep(waitMs);
      const { outcome, diagnostics, retryAfterMs } = await client.readReceipt(receipt);
      if (outcome !== null) return finish(id, { name, outcome, receipt, diagnostics });
      waitMs = retryAfterMs;
    }
  };

  const awaitReceipt = (...of: Parameters<typeof readReceipt>): void => {
    const reading = readReceipt(...of)
      .catch((error: unknown) => {
        fault ??= { error };
      })
      .finally(() => awaited.delete(reading));
    awaited.add(reading);
  };

  const push = async (id: string, { name, content }: PushItem): Promise<void> => {
    const answer =
      content === null
        ? ({ kind: 'refused', diagnostics: [TOO_LARGE] } as const)
        : await client.push(content, outbox.idempotencyKey(id));
    if (answer.kind === 'refused') {
      const { diagnostics } = answer;
      return finish(id, { name, outcome: 'rejected', receipt: null, diagnostics });
    }
    const { receipt, retryAfterMs } = answer;
    await outbox.record(id, { failures: outbox.find(id).failures, receipt });
    awaitReceipt(id, name, receipt, retryAfterMs);
  };

  try {
    for await (const item of items) {
      while (awaited.size >= MAX_AWAITED_RECEIPTS && fault === null) await Promise.race(awaited);
      if (fault !== null) break;
      const id = outbox.identify(item);
      const { outcome, receipt = null, diagnostics = [] } = outbox.find(id);
      if (outcome === 'accepted' || outcome === 'rejected')
        onOutcome({ name: item.name, outcome, receipt, diagnostics });
      else if (outcome === undefined && receipt !== null) awaitReceipt(id, item.name, receipt, 0);
      else await push(id, item);
    }
  } catch (error) {
    fault ??= { error };
  }
  await Promise.all(awaited);
  if (fault !== null) throw fault.error;
};
