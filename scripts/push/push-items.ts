import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { MAX_BODY_MIB } from '../../api/http/limits.ts';
import type { Outbox, Outcome } from './outbox.ts';
import type { PushItem } from './read-items.ts';
import { type Patience, type RegistryClient, RegistryRefused } from './registry-client.ts';

export interface PushedItem {
  readonly name: string;
  readonly outcome: Outcome;
  readonly receipt: string | null;
  /** Reasons from the registry, which quotes no submitted value except a refused code. */
  readonly diagnostics: readonly string[];
}

/** Maximum number of sent Bundles that await receipts. */
const MAX_AWAITED_RECEIPTS = 200;
/** Oldest first; polls also count against the rate limit. */
const MAX_CONCURRENT_RECEIPTS = 4;

/** Receipts that stay queued for longer are reported to the person. */
const QUEUED_NOTICE_MS = 10_000;

interface Waiting {
  readonly patience: Pick<Patience, 'queuedMs'>;
  readonly onWait: (reason: string) => void;
  readonly stop: AbortSignal;
}

/** The Bundle exceeds the size limit, so it is not sent. */
export const TOO_LARGE = `The Bundle is larger than ${MAX_BODY_MIB} MiB.`;

/**
 * Sends sequentially, so that an amendment cannot overtake its original.
 * @param onOutcome called once per Bundle, with its receipt
 * @throws errors of the client; the outbox then contains everything that was sent
 */
export const pushItems = async (
  items: AsyncIterable<PushItem>,
  outbox: Outbox,
  client: RegistryClient,
  onOutcome: (item: PushedItem) => void,
  { patience, onWait, stop }: Waiting,
): Promise<void> => {
  const awaited = new Set<Promise<void>>();
  const limit = pLimit(MAX_CONCURRENT_RECEIPTS);
  let forgotten = 0;
  /** When the registry last took or processed a Bundle. */
  let progressAt = performance.now();
  let fault: { readonly error: unknown } | null = null;

  const finish = async (id: string, item: PushedItem): Promise<void> => {
    const { name: _, receipt, ...rest } = item;
    const { failures } = outbox.find(id);
    await outbox.record(id, {
      failures: item.outcome === 'failed' ? failures + 1 : failures,
      ...(receipt !== null && { receipt }),
      ...rest,
    });
    progressAt = performance.now();
    onOutcome(item);
  };

  const readReceipt = async (
    id: string,
    name: string,
    receipt: string,
    dueAt: number,
  ): Promise<void> => {
    await sleep(Math.max(dueAt - performance.now(), 0), undefined, { signal: stop });
    while (fault === null) {
      const read = await client.readReceipt(receipt);
      if (read === null) {
        // A push with the same Idempotency-Key shows if the registry has the Bundle.
        forgotten += 1;
        return outbox.record(id, { failures: outbox.find(id).failures });
      }
      const { outcome, diagnostics, retryAfterMs } = read;
      if (outcome !== null) return finish(id, { name, outcome, receipt, diagnostics });
      const queuedMs = performance.now() - progressAt;
      if (queuedMs >= patience.queuedMs)
        throw new RegistryRefused(
          'The registry has taken Bundles, but has stopped processing them. They are safe there. Ask who runs it, and run the command again later: it reads the rest of the receipts.',
        );
      if (queuedMs >= QUEUED_NOTICE_MS)
        onWait('The registry has taken Bundles, but has not processed them yet; waiting.');
      await sleep(retryAfterMs, undefined, { signal: stop });
    }
  };

  const awaitReceipt = (...of: Parameters<typeof readReceipt>): void => {
    const reading = limit(() => readReceipt(...of))
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
    progressAt = performance.now();
    awaitReceipt(id, name, receipt, performance.now() + retryAfterMs);
  };

  try {
    for await (const item of items) {
      while (awaited.size >= MAX_AWAITED_RECEIPTS && fault === null) await Promise.race(awaited);
      if (fault !== null) break;
      stop.throwIfAborted();
      const id = outbox.identify(item);
      const { outcome, receipt = null, diagnostics = [] } = outbox.find(id);
      if (outcome === 'accepted' || outcome === 'rejected')
        onOutcome({ name: item.name, outcome, receipt, diagnostics });
      else {
        // Anyone who can write the outbox could name another server.
        const known =
          outcome === undefined && receipt !== null ? client.findReceipt(receipt) : null;
        if (known !== null) awaitReceipt(id, item.name, known, 0);
        else await push(id, item);
      }
    }
  } catch (error) {
    fault ??= { error };
  }
  await Promise.all(awaited);
  if (fault !== null) throw fault.error;
  if (forgotten > 0)
    throw new RegistryRefused(
      'The registry does not know some receipts that it gave earlier (404). Give the command again: their Bundles are sent again.',
    );
};
