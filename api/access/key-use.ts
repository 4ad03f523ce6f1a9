import { createWriteBehind } from '../process/write-behind.ts';

export interface KeyUse {
  /** Does not delay the request: writes happen later, at most once a minute per key. */
  note(keyId: string, address: string): void;
  stop(): Promise<void>;
}

interface LastUse {
  readonly at: Date;
  readonly address: string;
}

const WRITE_INTERVAL_MS = 60_000;

/**
 * The first use of a key is written at once, the last one of the next minute at its end.
 * @param save by id of the key
 * @param onFault called if a write fails: the displayed last use is then less exact
 */
export const createKeyUse = (
  save: (uses: ReadonlyMap<string, LastUse>) => Promise<void>,
  now: () => Date,
  onFault: (error: unknown) => void,
): KeyUse => {
  const { note, stop } = createWriteBehind<LastUse>({
    intervalMs: WRITE_INTERVAL_MS,
    isPrompt: true,
    merge: (_, later) => later,
    write: save,
    onFault,
  });
  return { note: (keyId, address) => note(keyId, { at: now(), address }), stop };
};
