/**
 * Path and query; `null` if the target is no address. Accepts a whole address from a proxy, drops a
 * fragment, and turns `*` into a path that does not exist. Runs before Express, whose `url.parse`
 * makes Node print the first unusual address on standard error.
 * @see RFC 9112, 3.2
 */
export const toOriginForm = (target: string): string | null => {
  if (target === '*') return '/*';
  if (target.startsWith('/')) return target.split('#', 1)[0] as string;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
};

/** @see RFC 3986, 3.2.2 */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * True for at most one, valid host: of two, a proxy may have read the other.
 * @param rawHeaders names and values in turn
 * @see RFC 9112, 3.2
 */
export const hasOneHost = (rawHeaders: readonly string[]): boolean => {
  const hosts = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
  );
  return hosts.length <= 1 && hosts.every((host) => HOST.test(host));
};
