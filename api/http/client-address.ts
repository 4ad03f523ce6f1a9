import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Finds the address that a request came from, behind trusted proxies. */
export type ClientAddress = (req: IncomingMessage) => string;

/** Whom to believe what X-Forwarded-For says. */
export type TrustProxy = false | number | readonly string[];

/** Some proxies write the caller's port behind the address, and then an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;
const MAPPED = '::ffff:';

/**
 * The one spelling of an address that callers are counted, bound and noted by: without port, brackets
 * and zone; IPv6 as RFC 5952 writes it; an IPv4 address that is mapped into IPv6 as IPv4. What is no
 * address stays as it is.
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

/** Whether a proxy is believed, as `trust proxy` of Express and `proxy-addr` ask it. */
export const createTrust = (
  trustProxy: TrustProxy,
): ((address: string, hop: number) => boolean) => {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const isTrusted = proxyAddr.compile(trustProxy === false ? [] : [...trustProxy]);
  return (address, hop) => isTrusted(normalizeAddress(address), hop);
};

/** The same address as Express's `req.ip`, plain, and also of requests that Express does not see. */
export const createClientAddress = (trustProxy: TrustProxy): ClientAddress => {
  const isTrusted = createTrust(trustProxy);
  return (req) => normalizeAddress(proxyAddr(req, isTrusted) ?? '');
};
