/** Says that a work takes longer than it was waited for. */
export const LATE = 'late';

/** What a work comes to; {@link LATE} when it takes longer than this, and goes on all the same. */
export const inTime = async <T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
