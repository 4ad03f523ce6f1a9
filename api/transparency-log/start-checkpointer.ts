import type { NextCheckpoint } from '../../transparency-log/checkpoint.ts';
import { runPeriodically } from '../process/run-periodically.ts';

export interface Checkpointer {
  readonly sign: () => Promise<NextCheckpoint>;
  /**
   * An unchanged position of the read tables leaves nothing to sign. `null` if it is unknown, or
   * witnesses may still have to sign the last checkpoint.
   */
  readonly place: () => string | null;
  /** @returns messages to the operator about refusals */
  readonly askWitnesses: (over: AbortSignal) => Promise<readonly string[]>;
  readonly everyMs: number;
  /** A tree still being filled is shorter than the last checkpoint. */
  readonly hasCaughtUp: () => Promise<boolean>;
  /** Shown by readiness. */
  readonly noteRefusal: () => Promise<void>;
  readonly warn: (words: string) => void;
  readonly onFault: (error: unknown) => void;
}

export const LOG_NOT_EXTENDED =
  'The log does not extend what its last checkpoint was signed for: events were lost or changed. No checkpoint is signed. Run `birth-registry verify`, which names them, and restore the newer log. If they are lost for good, run `birth-registry checkpoint --accept-loss --by NAME`.';

/** @returns stops it after signing a last checkpoint of the current tree */
export const startCheckpointer = (checkpointer: Checkpointer): (() => Promise<void>) => {
  const { everyMs, hasCaughtUp, noteRefusal, askWitnesses } = checkpointer;
  const ofLog = whileItLasts(checkpointer);
  const ofWitnesses = whileItLasts(checkpointer);
  /** Signing continues while a witness takes its time. */
  let asking: Promise<void> | null = null;
  let signedPlace: string | null = null;

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
      const place = checkpointer.place();
      if (place !== null && place === signedPlace) return [];
      const next = await checkpointer.sign();
      if (next.kind !== 'refused') {
        signedPlace = place;
        asking ??= ask(signal);
        return [];
      }
      if (next.why === 'shorter' && !(await hasCaughtUp())) return [];
      await noteRefusal();
      return [LOG_NOT_EXTENDED];
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

/** Once per problem, not while it persists. */
const whileItLasts = ({ warn, onFault }: Pick<Checkpointer, 'warn' | 'onFault'>) => {
  let reported: ReadonlySet<string> = new Set();
  return async (work: () => Promise<readonly string[]>): Promise<void> => {
    try {
      const troubles = await work();
      for (const words of troubles) if (!reported.has(words)) warn(words);
      reported = new Set(troubles);
    } catch (error) {
      if (!reported.has(String(error))) onFault(error);
      reported = new Set([String(error)]);
    }
  };
};
