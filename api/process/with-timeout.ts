export const TIMED_OUT = 'late';

/** {@link TIMED_OUT} if the work takes longer; it then continues. */
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
