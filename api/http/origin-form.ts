/**
 * Returns the path and query of a request target, or `null` if it is not an address. A proxy may
 * send the whole address, which every server must accept. A fragment is dropped, and `*` becomes a
 * path that does not exist. Runs before Express, whose parser passes anything but a plain path to
 * `url.parse`: Node warns about that on standard error, quoting the first such address.
 * @see RFC 9112, 3.2
 */
export const toOriginForm = (target: string): string | null => {
  if (target === '*') return '/*';
  if (target.startsWith('/')) return target.split('#', 1)[0] as string;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
};

/** Name or address with an optional port, or empty. @see RFC 3986, 3.2.2 */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * True if a request names at most one host, and a valid one: of two, a proxy may have read the
 * other. Node refuses requests of HTTP/1.1 without any.
 * @param rawHeaders names and values in turn, as Node keeps them
 * @see RFC 9112, 3.2
 */
export const hasOneHost = (rawHeaders: readonly string[]): boolean => {
  const hosts = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
  );
  return hosts.length <= 1 && hosts.every((host) => HOST.test(host));
};
