import { randomUUID } from 'node:crypto';
import type { EnqueueOutbox } from '../../domain/access-log/ports.ts';
import type { Caller } from '../access/authenticate.ts';
import { createWriteBehind } from '../process/write-behind.ts';

export interface KeyRefusals {
  /** Does not delay the response: entries are written later, at most once a minute per key. */
  note(caller: Pick<Caller, 'keyId' | 'practiceId'>): void;
  stop(): Promise<void>;
}

const WRITE_INTERVAL_MS = 60_000;

/** Records the next refusals of a minute together, so that a stolen key cannot flood the log. */
export const createKeyRefusals = (
  noteAccess: EnqueueOutbox,
  now: () => Date,
  onFault: (error: unknown) => void,
): KeyRefusals => {
  const { note, stop } = createWriteBehind<{
    practiceId: string;
    requests: number;
  }>({
    intervalMs: WRITE_INTERVAL_MS,
    isPrompt: true,
    merge: (earlier, { practiceId, requests }) => ({
      practiceId,
      requests: earlier.requests + requests,
    }),
    write: (refusals) => {
      const at = now().toISOString();
      return noteAccess(
        [...refusals].map(([keyId, { practiceId, requests }]) => ({
          noteId: randomUUID(),
          event: {
            type: 'KeyRefusedElsewhere',
            data: { at, practiceId, requests },
          },
          actor: { kind: 'key', id: keyId },
          correlationId: 'key-refusals',
        })),
      );
    },
    onFault,
  });
  return {
    note: ({ keyId, practiceId }) => note(keyId, { practiceId, requests: 1 }),
    stop,
  };
};
