import type { NextCheckpoint } from '../../transparency-log/checkpoint.ts';
import { runPeriodically } from '../process/run-periodically.ts';

/** What signs checkpoints, again and again. */
export interface Checkpointer {
  readonly sign: () => Promise<NextCheckpoint>;
  /** Has witnesses sign what was signed. @returns what to tell the operator of those that have not */
  readonly askWitnesses: (over: AbortSignal) => Promise<readonly string[]>;
  readonly everyMs: number;
  /** Whether the tree holds what the log holds: one that is being filled is shorter than what was signed. */
  readonly hasCaughtUp: () => Promise<boolean>;
  /** Tells the operator, who has to do something. */
  readonly tell: (words: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** What an operator is told of a log that is not the one that was signed for. */
export const LOG_NOT_EXTENDED =
  'The log does not extend what its last checkpoint was signed for: events were lost or changed. No checkpoint is signed. Run `operator verify`, which names them, and restore the log from a backup.';

/**
 * Signs checkpoints while events come, and has them signed by witnesses.
 * @returns how to stop it: it then signs once more, for whatever the tree holds by then
 */
export const startCheckpointer = (checkpointer: Checkpointer): (() => Promise<void>) => {
  const { everyMs, hasCaughtUp, askWitnesses } = checkpointer;
  const ofLog = whileItLasts(checkpointer);
  const ofWitnesses = whileItLasts(checkpointer);
  /** Signing continues while a witness takes its time. */
  let asking: Promise<void> | null = null;

  const ask = async (signal: AbortSignal): Promise<void> => {
    await ofWitnesses(async () => {
      const refusals = signal.aborted ? [] : await askWitnesses(signal);
      // A request that was aborted is not a refusal.
      return signal.aborted ? [] : refusals;
    });
    asking = null;
  };
  const sign = (signal: AbortSignal): Promise<void> =>
    ofLog(async () => {
      const next = await checkpointer.sign();
      if (next.kind !== 'refused') {
        asking ??= ask(signal);
        return [];
      }
      return next.why === 'rewritten' || (await hasCaughtUp()) ? [LOG_NOT_EXTENDED] : [];
    });
  const stop = runPeriodically(async (signal) => {
    await sign(signal);
    return everyMs;
  });
  return async () => {
    await stop();
    // Signs what was projected since, also while the last checkpoint was being signed.
    await sign(AbortSignal.abort());
    await asking;
  };
};

/** Tells of a trouble when it comes up, not again while it lasts. */
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
