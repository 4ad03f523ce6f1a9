/**
 * Path and query of a request target; `null` if it is not an address. Proxies may send the full
 * address, which every server has to understand. Drops a fragment, which servers do not receive,
 * and maps `*` to a path that does not exist. Runs before Express, which passes unusual targets to
 * `url.parse`: Node then prints a warning with the first such address on standard error.
 * @see RFC 9112, 3.2
 */
export const originForm = (target: string): string | null => {
  if (target === '*') return '/*';
  if (target.startsWith('/')) return target.split('#', 1)[0] as string;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
};

/** Name or address with an optional port, or empty. @see RFC 3986, 3.2.2 */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * True if a request names at most one host, and a valid one: a proxy may have read a different one
 * of two. Node rejects requests of HTTP/1.1 without a host.
 * @param rawHeaders alternating names and values, as Node provides them
 * @see RFC 9112, 3.2
 */
export const namesOneHost = (rawHeaders: readonly string[]): boolean => {
  const hosts = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
  );
  return hosts.length <= 1 && hosts.every((host) => HOST.test(host));
};
