/** Says that something was queued, to whoever works it off. */
export interface QueuedSignal {
  signal(): void;
  /** @returns how to end that */
  onSignal(listener: () => void): () => void;
}

/** @see QueuedSignal */
export const createQueuedSignal = (): QueuedSignal => {
  const listeners = new Set<() => void>();
  return {
    signal() {
      for (const listener of listeners) listener();
    },
    onSignal(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
