/**
 * Arguments of the postmaster: durable, for a small machine, reachable through the loopback only.
 * They come on the command line so that an old cluster runs with the settings of the new release.
 * @param dir its data directory, as Postgres gets it
 * @param port TCP port on 127.0.0.1
 */
export const buildServerArguments = (dir: string, port: number): string[] => [
  '-D',
  dir,
  '-p',
  String(port),
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: '100',
  // A killed service leaves its long queries and the locks they wait for behind otherwise.
  client_connection_check_interval: '2s',

  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Room for bursts of inserts between checkpoints; every one costs full-page images afterwards.
  // (Compressing those costs inserts a sixth of their speed here.)
  wal_buffers: '16MB',
  min_wal_size: '160MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',

  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Short statements on few cores: planning for a compiler or for helpers costs more than it gives,
  // and helpers need a /dev/shm larger than containers have.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',

  // Until Postgres has analyzed a table, a search reads all records of a practice. With the usual
  // minute between looks, searches would be slow for that long after a large import.
  autovacuum_naptime: '10s',

  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',

  // The log says how the server fares, never what is in a statement: rows and parameters are
  // submitted values.
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
} as const;
