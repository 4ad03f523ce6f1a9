import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type EgressPolicy, isWithin, type Resolve, resolveName } from './egress-policy.ts';

/** A name or an address leads to where a request may not go. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

/** Makes the connections of requests that share a reach, and keeps them for the next ones. */
export interface GuardedConnections {
  /** Begins a request. @throws BlockedAddress for an address that is written out */
  begin(url: URL, options: https.RequestOptions): http.ClientRequest;
}

const IDLE_MS = 5_000;

/**
 * Connections to the addresses of one reach. The address is judged by the lookup of the connection
 * itself, so the one that was judged is the one that is connected to: a name that resolves to
 * another address the second time (DNS rebinding) leads nowhere. Connections of different reach are
 * never shared.
 */
export const openConnections = (
  reach: EgressPolicy,
  resolve: Resolve = resolveName,
): GuardedConnections => {
  const options = { keepAlive: true, timeout: IDLE_MS, lookup: lookupWithin(reach, resolve) };
  const plain = new http.Agent(options);
  const secure = new https.Agent(options);
  return {
    begin(url, asked) {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // For an address there is no lookup.
      if (isIP(host) !== 0 && !isWithin(reach, host)) throw outOfReach();
      return url.protocol === 'https:'
        ? https.request(url, { ...asked, agent: secure })
        : http.request(url, { ...asked, agent: plain });
    },
  };
};

/** @param reach of the addresses that a name may have: one that is not within it refuses them all */
const lookupWithin =
  (reach: EgressPolicy, resolve: Resolve): LookupFunction =>
  (hostname, { all = false }, done) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isWithin(reach, address)))
          done(outOfReach(), '');
        else if (all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };

// Neither the name nor the address: an EHR has said them.
const outOfReach = (): BlockedAddress =>
  new BlockedAddress('An endpoint of an EHR leads to an address that it may not name.');

const CONNECTIONS: Readonly<Record<EgressPolicy, GuardedConnections>> = {
  anywhere: openConnections('anywhere'),
  loopback: openConnections('loopback'),
  outside: openConnections('outside'),
};

/** The service's own connections of a reach. */
export const openConnectionsTo = (reach: EgressPolicy): GuardedConnections => CONNECTIONS[reach];
