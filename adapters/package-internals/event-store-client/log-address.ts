import { EventStoreDBClient } from '@eventstore/db-client';
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';

export interface LogAddress {
  /** `esdb://…` or `esdb+discover://…`, optionally with credentials and TLS. */
  readonly connectionString: string;
  /** Value of the header `authorization` for the embedded node. A secret. */
  readonly authorization?: string;
}

/** `null` if the client could reach the leader. Never quotes the address, which may contain a password. */
export const findLogAddressProblem = (address: string): string | null => {
  let hasWarned = false;
  const { warn } = console;
  console.warn = () => {
    hasWarned = true;
  };
  try {
    // Does not connect until the first call.
    EventStoreDBClient.connectionString(address);
    return findUnreachable(parseConnectionString(address)) ?? (hasWarned ? UNKNOWN_OPTION : null);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Failed to load'))
      return 'names a file of a certificate or key that is not there.';
    return `is no address of EventStoreDB, which is ${FORM}`;
  } finally {
    console.warn = warn;
  }
};

const FORM =
  'like esdb://user:password@host:2113?tls=true. Signs such as @ : / ? & % in the password are written as %40 and so on.';
const UNKNOWN_OPTION =
  'has an option that the client does not know or cannot follow. Give a certificate by tlsCaFile; tlsVerifyCert=false is not supported.';

type Options = ReturnType<typeof parseConnectionString>;

/** The parser takes any text as a host, and numbers without their limits. */
const HOST = /^[\w.-]+$/;
const MAX_PORT = 65_535;

/** Problem of an address that the client accepts, but never reaches the leader with. */
const findUnreachable = (options: Options): string | null => {
  const { dnsDiscover, hosts, nodePreference, gossipTimeout, maxDiscoverAttempts } = options;
  if (!hosts.every(({ address, port }) => HOST.test(address) && port > 0 && port <= MAX_PORT))
    return `names a host or port that cannot be one. Write it ${FORM}`;
  if (dnsDiscover && hosts.length > 1)
    return 'names several hosts after esdb+discover://, of which the client would ask the first only. Write them as esdb://HOST-1:2113,HOST-2:2113,HOST-3:2113, or give esdb+discover:// one DNS name that stands for all of them.';
  if (nodePreference !== undefined && nodePreference !== 'leader')
    return 'prefers another node than the leader, which alone can write. Remove nodePreference, or set it to leader.';
  if ((gossipTimeout ?? 1) < 1 || (maxDiscoverAttempts ?? 1) < 1)
    return 'leaves the client no time to find the leader. Remove gossipTimeout, which is in seconds, and maxDiscoverAttempts, or set each to 1 or more.';
  return null;
};

/** With the client's own, a frozen node that is asked first would end every search for the leader. */
const GOSSIP_TIMEOUT = 'gossipTimeout=1';

/** Adds our default of the time that a node has to name the leader, unless the address sets one. */
export const withGossipTimeout = (address: string): string => {
  const { gossipTimeout, hosts, dnsDiscover } = parseConnectionString(address);
  if (gossipTimeout !== undefined || (hosts.length === 1 && !dnsDiscover)) return address;
  // As the client reads it: a question mark in the password begins no options.
  const bare = address.trim().replace(/\/+$/, '');
  const hasOptions = bare.replace(/^[^:]+:\/\/(?:[^:]+:[^@]+@)?/, '').includes('?');
  return `${bare}${hasOptions ? '&' : '?'}${GOSSIP_TIMEOUT}`;
};
