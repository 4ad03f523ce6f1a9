import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

// RFC 6890 and RFC 4193: what no authorization server of somebody else's answers at.
const INSIDE = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  INSIDE.addSubnet(network, bits);
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
] as const)
  INSIDE.addSubnet(network, bits, 'ipv6');

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const isIn = (list: BlockList, address: string): boolean => {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  // Every other address that carries one of IPv4 is taken for one of the inside.
  if (plain === address && /^::ffff:/i.test(address)) return list === INSIDE;
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
};

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const isLoopbackHost = (hostname: string): boolean => {
  const host = bare(hostname);
  return host === 'localhost' || host.endsWith('.localhost') || isIn(LOOPBACK, host);
};

/**
 * Whether the registry may send requests to an endpoint that an EHR of the allow-list names as its
 * own. https, without user names; at the EHR's own host, or at one of the outside: an EHR must not
 * be able to send the registry to machines beside it. An EHR on the loopback may name others there.
 */
export const mayCall = async (endpoint: string, issuer: string): Promise<boolean> => {
  if (!URL.canParse(endpoint)) return false;
  const [url, home] = [new URL(endpoint), new URL(issuer)];
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
  if (isLoopbackHost(home.hostname) && isLoopbackHost(url.hostname))
    return url.protocol === 'https:' || url.protocol === home.protocol;
  if (url.protocol !== 'https:') return false;
  if (url.hostname === home.hostname) return true;
  if (isLoopbackHost(url.hostname)) return false;
  return (await addressesOf(bare(url.hostname))).every((address) => !isIn(INSIDE, address));
};

/** None for a name that nobody knows: the request itself will say so. */
const addressesOf = async (host: string): Promise<readonly string[]> => {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
};

/**
 * Whether the token may be sent to an address that an EHR names as the next page: the same origin
 * and under the FHIR address, without user names or hidden slashes.
 */
export const isUnderIssuer = (address: string, issuer: string): boolean => {
  if (!URL.canParse(address)) return false;
  const [url, home] = [new URL(address), new URL(issuer)];
  const base = home.pathname.replace(/\/+$/, '');
  return (
    url.origin === home.origin &&
    url.username === '' &&
    url.password === '' &&
    !/%2f|%5c/i.test(url.pathname) &&
    (url.pathname === base || url.pathname.startsWith(`${base}/`))
  );
};
