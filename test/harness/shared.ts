/** What files of one process use together: started for the first that asks. */
export interface Shared<T> {
  /** Takes a part in it. @returns it, and what gives the part up; more than once does no harm */
  join(): Promise<{ readonly item: T; leave(): Promise<void> }>;
}

const running = new Set<() => Promise<void>>();
let isKept = false;

/** Nothing that is shared ends with its last user from now on: the next file may want it. */
export const keepShared = (): void => {
  isKept = true;
};

/** Ends all that was kept. */
export const endShared = async (): Promise<void> => {
  isKept = false;
  // What was there first may be used by what came later.
  for (const end of [...running].reverse()) await end();
};

/** Shares what is dear to start. Without {@link keepShared} it ends with its last user. */
export const shared = <T>(start: () => Promise<T>, stop: (item: T) => Promise<void>): Shared<T> => {
  let started: Promise<T> | null = null;
  let users = 0;
  const end = async () => {
    const ending = started;
    started = null;
    running.delete(end);
    if (ending !== null) await stop(await ending);
  };
  return {
    async join() {
      started ??= start();
      const item = await started.catch((error: unknown) => {
        // Whoever asks next tries anew.
        started = null;
        throw error;
      });
      running.add(end);
      users += 1;
      let isIn = true;
      return {
        item,
        async leave() {
          if (!isIn) return;
          isIn = false;
          users -= 1;
          if (users === 0 && !isKept) await end();
        },
      };
    },
  };
};
