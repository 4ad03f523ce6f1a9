export interface Grouping<Item> {
  /** Maximum weight of one write. A heavier item is written alone. */
  readonly most: number;
  readonly weightOf?: (item: Item) => number;
}

/** Items that arrive during a write share the next one. @param write throws for every caller of its group */
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
      // One tick, so that everything ready now joins the group.
      isWriting = true;
      setImmediate(() => void drain());
    });
};
