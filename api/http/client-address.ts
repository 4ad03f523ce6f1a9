import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** Where a request came from, as far as the proxies are trusted that it passed. */
export type ClientAddress = (req: IncomingMessage) => string;

/** The same address as Express's `req.ip`, also of requests that it does not see. */
export const clientAddressWith = (
  trustProxy: false | number | readonly string[],
): ClientAddress => {
  const isTrusted =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyAddr.compile(trustProxy === false ? [] : [...trustProxy]);
  return (req) => proxyAddr(req, isTrusted) ?? '';
};
