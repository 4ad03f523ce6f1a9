/**
 * The path and query of what a request asks for. A proxy may name the whole address, and every
 * server has to understand that; what is no address at all is null. Before Express sees it, whose
 * parser has Node write the first address that it does not like to standard error.
 * @see RFC 9112, 3.2
 */
export const originForm = (target: string): string | null => {
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
};
