import { EventStoreDBClient } from '@eventstore/db-client';

/** Where the log is, and how to get in. */
export interface LogAddress {
  /** `esdb://…` or `esdb+discover://…`, also with credentials and TLS. */
  readonly connectionString: string;
  /** Value of the header `authorization`, which the embedded node asks for. A secret. */
  readonly authorization?: string;
}

/**
 * What is wrong with an address of EventStoreDB, without a word of it: it may hold a password, which
 * the client repeats in its errors and prints with its warnings. Null if the client takes it.
 * @param address `esdb://…` or `esdb+discover://…`
 */
export const findLogAddressProblem = (address: string): string | null => {
  let hasWarned = false;
  const { warn } = console;
  console.warn = () => {
    hasWarned = true;
  };
  try {
    // Connects with the first call only.
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

/** What stands between the credentials, as the client finds them, and the options. */
const discoversList = (address: string): boolean => {
  const [, hosts = ''] = /^\s*esdb\+discover:\/\/(?:[^:]+:[^@]+@)?([^?]*)/.exec(address) ?? [];
  return hosts.includes(',');
};
