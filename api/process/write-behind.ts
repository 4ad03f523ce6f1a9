export interface WriteBehindOptions<Value> {
  /** Values of a key that arrive within it are written together. */
  readonly intervalMs: number;
  /** True writes the first value of a key at once, and only later ones at the end of the interval. */
  readonly isPrompt: boolean;
  readonly merge: (earlier: Value, later: Value) => Value;
  readonly write: (values: ReadonlyMap<string, Value>) => Promise<void>;
  /** Called when a write fails; its values wait for the next one. */
  readonly onFault: (error: unknown) => void;
  /** More notes than this, not written yet, are dropped. */
  readonly maxWaiting?: number;
}

export interface WriteBehind<Value> {
  /** Does not delay the caller. */
  note(key: string, value: Value): void;
  /** Writes what waits. */
  stop(): Promise<void>;
}

/** Collects values by key, and writes them behind those who note them. */
export const createWriteBehind = <Value>({
  intervalMs,
  isPrompt,
  merge,
  write,
  onFault,
  maxWaiting = Number.POSITIVE_INFINITY,
}: WriteBehindOptions<Value>): WriteBehind<Value> => {
  let waiting = new Map<string, Value>();
  let notes = 0;
  const written = new Set<string>();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  const startTimer = (): void => {
    if (!isStopped) timer ??= setTimeout(endInterval, intervalMs);
  };
  const flush = (): Promise<void> => {
    if (waiting.size === 0) return writing;
    const [values, count] = [waiting, notes];
    waiting = new Map();
    notes = 0;
    for (const key of values.keys()) written.add(key);
    if (isPrompt) startTimer();
    writing = writing
      .then(() => write(values))
      .catch((error: unknown) => {
        onFault(error);
        notes += count;
        for (const [key, value] of values) {
          const later = waiting.get(key);
          waiting.set(key, later === undefined ? value : merge(value, later));
        }
        startTimer();
      });
    return writing;
  };
  const endInterval = (): void => {
    timer = null;
    written.clear();
    void flush();
  };

  return {
    note(key, value) {
      if (notes >= maxWaiting) return;
      notes += 1;
      const earlier = waiting.get(key);
      waiting.set(key, earlier === undefined ? value : merge(earlier, value));
      if (isPrompt && !written.has(key)) void flush();
      else startTimer();
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      return flush();
    },
  };
};
