import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type EgressPolicy, isWithin, type Resolve, resolveName } from './egress-policy.ts';

export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

export interface GuardedConnections {
  /** Starts a request. @throws BlockedAddress for a forbidden IP address in the URL */
  begin(url: URL, options: https.RequestOptions): http.ClientRequest;
}

const IDLE_MS = 5_000;

/** The connection's own lookup checks the address, which defeats DNS rebinding. Policies share no connections. */
export const openConnections = (
  reach: EgressPolicy,
  resolve: Resolve = resolveName,
): GuardedConnections => {
  const options = { keepAlive: true, timeout: IDLE_MS, lookup: createLookup(reach, resolve) };
  const plain = new http.Agent(options);
  const secure = new https.Agent(options);
  return {
    begin(url, requestOptions) {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // An IP address needs no lookup.
      if (isIP(host) !== 0 && !isWithin(reach, host)) throw createBlockedAddress();
      return url.protocol === 'https:'
        ? https.request(url, { ...requestOptions, agent: secure })
        : http.request(url, { ...requestOptions, agent: plain });
    },
  };
};

/** @param reach policy for a name's addresses; one forbidden address blocks the name */
const createLookup =
  (reach: EgressPolicy, resolve: Resolve): LookupFunction =>
  (hostname, { all = false }, done) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isWithin(reach, address)))
          done(createBlockedAddress(), '');
        else if (all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };

// Names neither host nor address, because both come from the EHR.
const createBlockedAddress = (): BlockedAddress =>
  new BlockedAddress('An endpoint of an EHR leads to an address that it may not name.');

const CONNECTIONS: Readonly<Record<EgressPolicy, GuardedConnections>> = {
  anywhere: openConnections('anywhere'),
  loopback: openConnections('loopback'),
  outside: openConnections('outside'),
};

export const openConnectionsTo = (reach: EgressPolicy): GuardedConnections => CONNECTIONS[reach];
