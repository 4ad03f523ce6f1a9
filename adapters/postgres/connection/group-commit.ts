/** How items are put together. */
export interface Grouping<Item> {
  /** Weight in one write; an item that is heavier goes alone. */
  readonly most: number;
  /** Weight of an item; each counts 1 if nothing else is said. */
  readonly weightOf?: (item: Item) => number;
}

/**
 * Gathers what arrives while a write is under way into the next write: many callers share one
 * transaction, and none waits when there is nothing to share.
 * @param write makes all items durable, or throws; then each caller of the group gets the error
 */
export const groupCommit = <Item>(
  write: (items: readonly Item[]) => Promise<void>,
  { most, weightOf = () => 1 }: Grouping<Item>,
): ((item: Item) => Promise<void>) => {
  interface Waiting {
    readonly item: Item;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isWriting = false;

  const fitting = (): number => {
    let weight = 0;
    const tooMuch = waiting.findIndex(({ item }) => {
      weight += weightOf(item);
      return weight > most;
    });
    return tooMuch === -1 ? waiting.length : Math.max(1, tooMuch);
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, fitting());
      waiting = waiting.slice(group.length);
      try {
        await write(group.map(({ item }) => item));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isWriting = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isWriting) return;
      // The tick lets everything that is ready now join the group.
      isWriting = true;
      setImmediate(() => void drain());
    });
};
