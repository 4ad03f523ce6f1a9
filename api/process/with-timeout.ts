/** Says that a work takes longer than it was waited for. */
export const TIMED_OUT = 'late';

/** What a work comes to; {@link TIMED_OUT} when it takes longer than this, and goes on all the same. */
export const withTimeout = async <T>(
  ms: number,
  work: Promise<T>,
): Promise<T | typeof TIMED_OUT> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof TIMED_OUT>((resolve) => {
    timer = setTimeout(() => resolve(TIMED_OUT), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
