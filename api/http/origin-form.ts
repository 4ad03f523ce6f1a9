/**
 * The path and query of what a request asks for. A proxy may name the whole address, and every
 * server has to understand that; what is no address at all is null. A fragment is nothing that a
 * server is asked for, and `*`, the server as a whole, is asked for as a path that it does not have.
 * Before Express sees it, whose parser gives whatever is not plainly a path to `url.parse`: Node
 * warns of that on standard error, and quotes the first address that it does not like.
 * @see RFC 9112, 3.2
 */
export const originForm = (target: string): string | null => {
  if (target === '*') return '/*';
  if (target.startsWith('/')) return target.split('#', 1)[0] as string;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
};
