import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

// RFC 6890 and RFC 4193: addresses where no external authorization server can be.
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
  // The unspecified address, loopback, and IPv4 addresses embedded without a prefix.
  ['::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  // Site-local: deprecated by RFC 3879, but still routed in some networks.
  ['fec0::', 10],
  ['ff00::', 8],
  // Translators and tunnels to embedded IPv4 addresses: RFC 6052, 8215, 3056, 4380.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
] as const)
  INSIDE.addSubnet(network, bits, 'ipv6');

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const isIn = (list: BlockList, address: string): boolean => {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  // Treat every other form of an embedded IPv4 address as internal.
  if (plain === address && /^::ffff:/i.test(address)) return list === INSIDE;
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
};

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

export const isLoopbackHost = (hostname: string): boolean => {
  const host = bare(hostname);
  return host === 'localhost' || host.endsWith('.localhost') || isIn(LOOPBACK, host);
};

/** `outside` allows public addresses only. */
export type EgressPolicy = 'anywhere' | 'loopback' | 'outside';

/** Resolves a name to its addresses. @throws the resolver's error for an unknown name */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export const resolveName: Resolve = (hostname) => lookup(hostname, { all: true });

export const isWithin = (reach: EgressPolicy, address: string): boolean => {
  if (reach === 'anywhere') return true;
  return reach === 'loopback' ? isIn(LOOPBACK, address) : !isIn(INSIDE, address);
};

/**
 * Egress policy for an endpoint that an EHR of the allow-list publishes, or `null` if it must not
 * be called. Requires https, no credentials, and either the EHR's own host or an external one: an
 * EHR must not send the registry to internal machines. An EHR on loopback may publish others there.
 */
export const findEgressPolicy = (endpoint: string, issuer: string): EgressPolicy | null => {
  if (!URL.canParse(endpoint)) return null;
  const [url, home] = [new URL(endpoint), new URL(issuer)];
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  if (isLoopbackHost(home.hostname) && isLoopbackHost(url.hostname))
    return url.protocol === 'https:' || url.protocol === home.protocol ? 'loopback' : null;
  if (url.protocol !== 'https:') return null;
  if (url.hostname === home.hostname) return 'anywhere';
  const host = bare(url.hostname);
  if (isLoopbackHost(host)) return null;
  return isIP(host) === 0 || isWithin('outside', host) ? 'outside' : null;
};

/** By current DNS addresses. The connection checks again, because the name may resolve differently then. */
export const isPublicAddress = async (
  endpoint: string,
  issuer: string,
  resolve: Resolve = resolveName,
): Promise<boolean> => {
  const reach = findEgressPolicy(endpoint, issuer);
  if (reach !== 'outside') return reach !== null;
  const host = bare(new URL(endpoint).hostname);
  if (isIP(host) !== 0) return true;
  try {
    return (await resolve(host)).every(({ address }) => isWithin(reach, address));
  } catch {
    // For an unknown name, the request itself reports the error.
    return true;
  }
};

/** Only there may we send the token: same origin, under the FHIR base address, no encoded slashes. */
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
