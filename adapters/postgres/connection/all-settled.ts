/** Like `Promise.all`, but a failure is thrown only after all promises have settled. */
export const allSettledOrThrow = async <T extends readonly Promise<unknown>[] | []>(
  works: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> => {
  await Promise.allSettled(works);
  return Promise.all(works);
};
