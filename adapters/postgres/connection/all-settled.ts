/** What works side by side come to, once none of them is under way. @throws the first fault of any */
export const allSettledOrThrow = async <T extends readonly Promise<unknown>[] | []>(
  works: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> => {
  await Promise.allSettled(works);
  return Promise.all(works);
};
