import { EventStoreDBClient } from '@eventstore/db-client';

/** Address of the log, with credentials. */
export interface LogAddress {
  /** `esdb://…` or `esdb+discover://…`, optionally with credentials and TLS. */
  readonly connectionString: string;
  /** Value of the header `authorization` for the embedded node. A secret. */
  readonly authorization?: string;
}

/**
 * Describes the problem with an EventStoreDB address, or returns `null` if the client accepts it.
 * Never quotes the address: it may contain a password, which the client's errors and warnings
 * repeat.
 * @param address `esdb://…` or `esdb+discover://…`
 */
export const findLogAddressProblem = (address: string): string | null => {
  let hasWarned = false;
  const { warn } = console;
  console.warn = () => {
    hasWarned = true;
  };
  try {
    // Does not connect until the first call.
    EventStoreDBClient.connectionString(address);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Failed to load'))
      return 'names a file of a certificate or key that is not there.';
    return 'is no address of EventStoreDB, which is like esdb://user:password@host:2113?tls=true. Signs such as @ : / ? & % in the password are written as %40 and so on.';
  } finally {
    console.warn = warn;
  }
  if (discoversList(address))
    return 'names several hosts after esdb+discover://, of which the client would ask the first only. Write them as esdb://HOST-1:2113,HOST-2:2113,HOST-3:2113, or give esdb+discover:// one DNS name that stands for all of them.';
  return hasWarned
    ? 'has an option that the client does not know or cannot follow. Give a certificate by tlsCaFile; tlsVerifyCert=false is not supported.'
    : null;
};

/** Finds the hosts between the credentials, as the client parses them, and the options. */
const discoversList = (address: string): boolean => {
  const [, hosts = ''] = /^\s*esdb\+discover:\/\/(?:[^:]+:[^@]+@)?([^?]*)/.exec(address) ?? [];
  return hosts.includes(',');
};
