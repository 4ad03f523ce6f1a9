import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import proxyAddr from 'proxy-addr';

export type ClientAddress = (req: IncomingMessage) => string;

/** Proxies with a trusted X-Forwarded-For. */
export type TrustProxy = false | number | readonly string[];

/** Some proxies append the client's port, and put an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;
const MAPPED = '::ffff:';

/**
 * Removes port, brackets and zone, formats IPv6 per RFC 5952, and turns IPv4 mapped into IPv6 into
 * IPv4. Returns anything else unchanged.
 */
export const normalizeAddress = (text: string): string => {
  const [, ofIPv6, ofIPv4] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (ofIPv6 ?? ofIPv4 ?? text).split('%');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return text;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = canonical.slice(MAPPED.length);
  return canonical.startsWith(MAPPED) && isIPv4(mapped) ? mapped : canonical;
};

/** For `trust proxy` of Express and for `proxy-addr`. */
export const createTrust = (
  trustProxy: TrustProxy,
): ((address: string, hop: number) => boolean) => {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const isTrusted = proxyAddr.compile(trustProxy === false ? [] : [...trustProxy]);
  return (address, hop) => isTrusted(normalizeAddress(address), hop);
};

/** Equals Express's `req.ip`, normalized; also works for requests that bypass Express. */
export const createClientAddress = (trustProxy: TrustProxy): ClientAddress => {
  const isTrusted = createTrust(trustProxy);
  return (req) => normalizeAddress(proxyAddr(req, isTrusted) ?? '');
};
