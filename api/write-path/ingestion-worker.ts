import type { PracticesWithWork } from '../../domain/ingestion/ports.ts';
import { runTurn } from './practice-turn.ts';
import type { TurnParts } from './turn-parts.ts';

/** Works off the queues of all practices until it is stopped. */
export interface IngestionWorker {
  /** Something may have become ready: look now instead of at the next poll. */
  wake(): void;
  /** Ends after the batches under way. */
  stop(): Promise<void>;
}

/** What the worker works with beside the parts of a turn. */
export interface IngestionWorkerParts extends TurnParts {
  readonly practicesWithWork: PracticesWithWork;
  /** Told of faults that end a turn; the worker goes on by itself. */
  readonly onTurnFault: (error: unknown) => void;
}

const POLL_MS = 200;
const TURNS_AT_ONCE = 4;
const BACKOFF_MS = 300;

/** Starts the worker. */
export const startIngestionWorker = (parts: IngestionWorkerParts): IngestionWorker => {
  let isStopping = false;
  let isAwake = false;
  let wakeUp: () => void = () => undefined;

  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (isAwake || isStopping) return resolve();
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        wakeUp = () => undefined;
        resolve();
      }
      wakeUp = done;
    });

  const turnOf = async (practiceId: string): Promise<boolean> => {
    try {
      const worked = await runTurn(practiceId, parts.newId(), parts, () => isStopping);
      return worked === true;
    } catch (error) {
      parts.onTurnFault(error);
      await rest(BACKOFF_MS);
      return false;
    }
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      isAwake = false;
      try {
        const practices = (await parts.practicesWithWork()).slice(0, TURNS_AT_ONCE);
        const worked = await Promise.all(practices.map(turnOf));
        if (worked.some(Boolean)) continue;
      } catch (error) {
        parts.onTurnFault(error);
      }
      await rest(POLL_MS);
    }
  };

  const running = run();
  return {
    wake() {
      isAwake = true;
      wakeUp();
    },
    async stop() {
      isStopping = true;
      wakeUp();
      await running;
    },
  };
};
