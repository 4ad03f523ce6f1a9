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

/** A name or an address with a port, or nothing. @see RFC 3986, 3.2.2 */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * Whether a request names one host at most, and a possible one: a proxy in front may have read another of
 * two. Node refuses requests of HTTP/1.1 without any.
 * @param rawHeaders names and values in turn, as Node keeps them
 * @see RFC 9112, 3.2
 */
export const namesOneHost = (rawHeaders: readonly string[]): boolean => {
  const hosts = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
  );
  return hosts.length <= 1 && hosts.every((host) => HOST.test(host));
};
