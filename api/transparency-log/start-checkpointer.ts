import { setTimeout as sleep } from 'node:timers/promises';
import type { NextCheckpoint } from '../../transparency-log/checkpoint.ts';

/** Dependencies of the loop that signs checkpoints. */
export interface Checkpointer {
  readonly sign: () => Promise<NextCheckpoint>;
  /** Asks witnesses to sign the checkpoint. @returns messages to the operator about refusals */
  readonly askWitnesses: (over: AbortSignal) => Promise<readonly string[]>;
  readonly everyMs: number;
  /**
   * True if the tree has caught up with the log; one still being filled is shorter than the last
   * checkpoint.
   */
  readonly hasCaughtUp: () => Promise<boolean>;
  /** Logs a message for the operator, who has to act. */
  readonly tell: (words: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** Message for a log that does not match its last checkpoint. */
export const LOG_NOT_EXTENDED =
  'The log does not extend what its last checkpoint was signed for: events were lost or changed. No checkpoint is signed. Run `operator verify`, which names them, and restore the log from a backup.';

/**
 * Signs checkpoints while events arrive, and asks witnesses to sign them.
 * @returns function that stops it after signing a last checkpoint of the current tree
 */
export const startCheckpointer = (checkpointer: Checkpointer): (() => Promise<void>) => {
  const { everyMs, hasCaughtUp, askWitnesses } = checkpointer;
  const stopping = new AbortController();
  const { signal } = stopping;
  const ofLog = whileItLasts(checkpointer);
  const ofWitnesses = whileItLasts(checkpointer);
  /** Signing continues while a witness is slow. */
  let asking: Promise<void> | null = null;

  const sign = (): Promise<void> =>
    ofLog(async () => {
      const next = await checkpointer.sign();
      if (next.kind !== 'refused') {
        asking ??= ask();
        return [];
      }
      return next.why === 'rewritten' || (await hasCaughtUp()) ? [LOG_NOT_EXTENDED] : [];
    });
  const ask = async (): Promise<void> => {
    await ofWitnesses(async () => {
      const refusals = signal.aborted ? [] : await askWitnesses(signal);
      // An aborted request is not a refusal.
      return signal.aborted ? [] : refusals;
    });
    asking = null;
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await sign();
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    // Covers events projected since, including those during the previous signing.
    await sign();
    await asking;
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
};

/** Reports a problem once, not while it persists. */
const whileItLasts = ({ tell, onFault }: Pick<Checkpointer, 'tell' | 'onFault'>) => {
  let told: ReadonlySet<string> = new Set();
  return async (work: () => Promise<readonly string[]>): Promise<void> => {
    try {
      const troubles = await work();
      for (const words of troubles) if (!told.has(words)) tell(words);
      told = new Set(troubles);
    } catch (error) {
      if (!told.has(String(error))) onFault(error);
      told = new Set([String(error)]);
    }
  };
};
