import { randomUUID } from 'node:crypto';
import type { EnqueueOutbox } from '../../domain/access-log/ports.ts';
import type { Caller } from '../access/authenticate.ts';

export interface KeyRefusals {
  /** Does not delay the response: entries are written later, at most once a minute per key. */
  note(caller: Pick<Caller, 'keyId' | 'practiceId'>): void;
  stop(): Promise<void>;
}

const WRITE_INTERVAL_MS = 60_000;

interface Waiting {
  readonly practiceId: string;
  requests: number;
}

/** Records the next refusals of a minute together, so that a stolen key cannot flood the log. */
export const createKeyRefusals = (
  noteAccess: EnqueueOutbox,
  now: () => Date,
  onFault: (error: unknown) => void,
): KeyRefusals => {
  let waiting = new Map<string, Waiting>();
  const written = new Set<string>();
  let writing = Promise.resolve();

  const write = (): Promise<void> => {
    if (waiting.size === 0) return writing;
    const keys = waiting;
    waiting = new Map();
    for (const keyId of keys.keys()) written.add(keyId);
    const at = now().toISOString();
    const notes = [...keys].map(([keyId, { practiceId, requests }]) => ({
      noteId: randomUUID(),
      event: { type: 'KeyRefusedElsewhere' as const, data: { at, practiceId, requests } },
      actor: { kind: 'key' as const, id: keyId },
      correlationId: 'key-refusals',
    }));
    writing = writing
      .then(() => noteAccess(notes))
      .catch((error: unknown) => {
        onFault(error);
        for (const [keyId, { practiceId, requests }] of keys) keep(keyId, practiceId, requests);
      });
    return writing;
  };

  const keep = (keyId: string, practiceId: string, requests: number): void => {
    const entry = waiting.get(keyId);
    if (entry === undefined) waiting.set(keyId, { practiceId, requests });
    else entry.requests += requests;
  };

  const timer = setInterval(() => {
    written.clear();
    void write();
  }, WRITE_INTERVAL_MS);

  return {
    note({ keyId, practiceId }) {
      keep(keyId, practiceId, 1);
      if (!written.has(keyId)) void write();
    },
    stop() {
      clearInterval(timer);
      return write();
    },
  };
};
