/** Notifies workers that something was queued. */
export interface QueuedSignal {
  signal(): void;
  /** @returns a function that unsubscribes */
  onSignal(listener: () => void): () => void;
}

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
